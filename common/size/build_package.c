#include "size/build_package.h"

struct crate_fact build_package_crate(const struct build_package *package)
{
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
