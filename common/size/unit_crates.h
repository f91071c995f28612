/*
 * The crates that codegen units are of. rustc names a unit after its crate; in incremental builds, as those
 * of cargo's dev profile, a hash is all of the name.
 */
#ifndef SIZE_UNIT_CRATES_H
#define SIZE_UNIT_CRATES_H

#include "size/used/used.h"

/* Of one file. Zero-initialised is without units. */
struct unit_crates {
    uint32_t *of_unit;       /* owned; by compile unit of the debug information; SIZE_NO_CRATE: not known */
    struct intern hashed;    /* names that are hashes */
    VEC(uint32_t) of_hashed; /* by that: the crate; SIZE_NO_CRATE: not known */
};

/*
 * Finds the crate of each unit that debug information or an STT_FILE symbol names, and adds it to `crates`,
 * after those of the build's packages. A hash is looked for among the objects of the build's libraries; what
 * is in none is the program's. Where the build is not known, functions in the root file of the unit's crate
 * tell by their names (size/root_crates.h). Never fails: what cannot be read tells nothing. To be released
 * with unit_crates_done.
 */
void unit_crates_find(const struct used_request *request, struct size_crates *crates,
                      struct unit_crates *out);

/* The crate of the unit that has this hash for a name; SIZE_NO_CRATE for what is none, and when not known. */
uint32_t unit_crates_of_hashed(const struct unit_crates *units, struct slice codegen_unit);

void unit_crates_done(struct unit_crates *units);

#endif
