/*
 * Who made the functions that no unit, suffix or index of a library tells: what LTO has put into one unit
 * with all else, or whose symbols the linker has put behind no STT_FILE symbol, as GNU ld does. Legacy names
 * of instances of generics and closures have a hash that is the maker's alone, v0 names of these its name;
 * what is inline and not generic has one name in all crates that have copies of it.
 */
#ifndef SIZE_USED_BY_NAME_H
#define SIZE_USED_BY_NAME_H

#include "size/used/used.h"

/* The crate that was compiled last, whose own code no library holds. */
struct used_last {
    uint32_t crate; /* SIZE_NO_CRATE: not known */
    bool is_merged; /* link-time optimisation made one unit of all crates */
};

/*
 * Gives functions that are USED_UNKNOWN to the crate of the only library of the build that has the name
 * anywhere in its object code or bitcode, and those that none has to `last`, which was compiled last, as
 * USED_FROM_RLIB. Nothing where that is SIZE_NO_CRATE or the build is not known. A library that cannot be
 * read may have any. Libraries also name what they call, so functions of std's are not asked for: those with
 * v0 names beside legacy ones of the program, else those that `std` tells; nor legacy names where std's are
 * such, nor v0 names of another build, where all have other ones. Where libraries of another build show that
 * crates have changed since, names of these and of std's are left, and what else none has is USED_INFERRED.
 * Where crates are merged, what `last` may have a copy of is by where it stands: among its code its own, at
 * the edge the library's, both as USED_INFERRED. `out` is by function of the map.
 */
void used_by_name_find(const struct used_request *request, struct std_copies *std, struct size_crates *crates,
                       struct used_last last, struct used *out);

#endif
