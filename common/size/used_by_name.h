/*
 * Who made the functions that no unit, suffix or index of a library tells: instances of generics and closures
 * that LTO has put into one unit with all else, or whose symbols the linker has put behind no STT_FILE
 * symbol, as GNU ld does. Legacy names of these have a hash that is the maker's alone; what is inline
 * and not generic has one hash in all crates that have copies of it.
 */
#ifndef SIZE_USED_BY_NAME_H
#define SIZE_USED_BY_NAME_H

#include "size/used.h"

/* The crate that was compiled last, whose own code no library holds. */
struct used_last {
    uint32_t crate; /* SIZE_NO_CRATE: not known */
    bool is_merged; /* link-time optimisation made one unit of all crates */
};

/*
 * Gives functions that are USED_UNKNOWN to the crate of the only library of the build that has the name
 * anywhere in its object code or bitcode, and those that none has to `last`, which was compiled last, as
 * USED_FROM_RLIB. Nothing where that is SIZE_NO_CRATE or the build is not known, and of names that are not
 * legacy ones. A library that cannot be read may have any. Libraries also name what they call, so that
 * functions of std's have to have v0 names. Where libraries of another build show that crates have changed
 * since, names of these and of std's are left, and what else none has is USED_INFERRED. Where crates are
 * merged, what `last` may have a copy of is by where it stands: among its code its own, at the edge the
 * library's, both as USED_INFERRED. `out` is by function of the map.
 */
void used_by_name_find(const struct used_request *request, struct size_crates *crates, struct used_last last,
                       struct used *out);

#endif
