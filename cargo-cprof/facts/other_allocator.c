#include "facts/other_allocator.h"

/*
 * As jemalloc 5, mimalloc 2 and 3, snmalloc, rpmalloc and gperftools name theirs, and the crates they come
 * in. A crate may be called `mi_parser`, but C has no paths.
 */
bool other_allocator_has(struct slice function)
{
    static const char *const starts_of_c[] = {"_rjem_",   "je_",      "mi_",      "_mi_",
                                              "sn_rust_", "rpmalloc", "tc_malloc"};
    static const char *const starts_of_paths[] = {"snmalloc::",      "tcmalloc::",  "<tikv_jemallocator::",
                                                  "<jemallocator::", "<mimalloc::", "<snmalloc_rs::"};
    const struct slice separator = SLICE("::");

    return !slice_has(function, separator)
               ? slice_starts_with_any(function, starts_of_c, ARRAY_COUNT(starts_of_c))
               : slice_starts_with_any(function, starts_of_paths, ARRAY_COUNT(starts_of_paths));
}

/* What was put in front of the system's (LD_PRELOAD), or linked with, as libjemalloc.so.2. */
static bool is_allocators_library(struct slice path)
{
    static const char *const starts[] = {"libjemalloc", "libmimalloc", "libsnmalloc", "librpmalloc",
                                         "libtcmalloc"};

    return slice_starts_with_any(slice_file_name(path), starts, ARRAY_COUNT(starts));
}

bool other_allocator_exists(const struct profile *profile)
{
    if (profile->heap_lacks.allocator != PROFILE_NO_STRING)
        return true;
    for (size_t i = 0; i < profile->functions.count; i++)
        if (other_allocator_has(profile_text(profile, profile->functions.items[i].name)))
            return true;
    for (size_t i = 0; i < profile->modules.count; i++)
        if (is_allocators_library(profile_text(profile, profile->modules.items[i].path)))
            return true;
    return false;
}
