/*
 * The crates that root files, "src/main.rs", are of, where the names of their units do not tell: a function
 * that stands in the root file of its own unit's crate is of that crate, and its symbol says which that is.
 */
#ifndef SIZE_ROOT_CRATES_H
#define SIZE_ROOT_CRATES_H

#include "dwarf/debug_info.h"
#include "size/code_map.h"
#include "size/crates.h"

/* Zero-initialised knows none. */
struct root_crates {
    struct intern paths;          /* of root files, absolute where the units' folders are */
    struct intern names;          /* of crates */
    VEC(struct crate_fact) facts; /* by path: name, in `names`, and hash */
    VEC(bool) is_disputed;        /* by path: several crates have functions in it */
};

/*
 * Asks the functions of all units whose crate in `of_unit` is SIZE_NO_CRATE. Damaged line
 * tables tell nothing. The result is to be
 * released with root_crates_done.
 */
void root_crates_find(struct debug_info *debug, const struct code_map *map, const uint32_t *of_unit,
                      struct root_crates *out);

/* What is known of the crate of the unit's root file; false when that is nothing. */
bool root_crates_get(const struct root_crates *roots, const struct unit *unit, struct crate_fact *out);

void root_crates_done(struct root_crates *roots);

#endif
