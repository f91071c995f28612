#include "size/build_package.h"

/* Whether it is one of std's, which cargo may build from rust-src (-Zbuild-std) as it does any dependency. */
static bool is_std(const struct build_package *package)
{
    return package->is_of_std ||
           (package->root.length > 0 &&
            crate_fact_of_path(package->root, SLICE("Cargo.toml")).kind == CRATE_KIND_STD);
}

struct crate_fact build_package_crate(const struct build_package *package)
{
    if (is_std(package))
        return (struct crate_fact){.name = package->crate, .kind = CRATE_KIND_STD};
    if (package->is_for_std)
        return (struct crate_fact){
            .name = package->crate, .version = package->version, .kind = CRATE_KIND_STD, .is_for_std = true};
    return (struct crate_fact){
        .name = package->crate,
        .version = package->version,
        .origin = package->origin,
        .kind = package->is_own ? CRATE_KIND_OWN : CRATE_KIND_DEPENDENCY,
        .is_last = package->is_program || package->is_exporting,
    };
}

bool build_package_has_namesakes(const struct build_package *packages, size_t count, size_t package)
{
    if (!packages[package].rlib || packages[package].is_foreign)
        return false;
    for (size_t i = 0; i < count; i++)
        if (i != package && !packages[i].is_foreign &&
            slice_equal(packages[i].crate, packages[package].crate))
            return true;
    return false;
}
