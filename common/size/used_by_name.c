#include "size/used_by_name.h"

#include "size/rlib_names.h"

static bool read_libraries(const struct used_request *request, struct size_crates *crates,
                           struct rlib_names *names)
{
    bool are_all_read = true;

    for (size_t i = 0; names->names.count > 0 && i < request->package_count; i++) {
        const struct build_package *package = &request->packages[i];
        struct crate_fact fact = build_package_crate(package);

        if (package->rlib && !package->is_foreign)
            are_all_read &= rlib_names_read(names, package->rlib, size_crates_add(crates, &fact));
    }
    return are_all_read;
}

void used_by_name_find(const struct used_request *request, struct size_crates *crates, uint32_t last,
                       struct used *out)
{
    SCOPED(rlib_names_done) struct rlib_names names = {0};
    bool are_all_read = false;

    if (last == SIZE_NO_CRATE || request->package_count == 0)
        return;
    for (size_t i = 0; i < request->map->functions.count; i++)
        if (out[i].source == USED_UNKNOWN)
            rlib_names_want(&names, request->map->functions.items[i].names[0]->name);
    are_all_read = read_libraries(request, crates, &names);
    for (size_t i = 0; i < request->map->functions.count; i++) {
        uint32_t crate = SIZE_NO_CRATE;

        if (out[i].source != USED_UNKNOWN ||
            !rlib_names_find(&names, request->map->functions.items[i].names[0]->name, &crate))
            continue;
        if (crate == SIZE_NO_CRATE && are_all_read)
            crate = last;
        if (crate != SIZE_NO_CRATE)
            out[i] = (struct used){crate, USED_FROM_RLIB};
    }
}
