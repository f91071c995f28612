/* Whose a profile's functions are by their names: folded stacks name no crate of what is not Rust. */
#ifndef CHANGES_KNOWN_CRATES_H
#define CHANGES_KNOWN_CRATES_H

#include "profile/profile.h"

/* Zero-initialised knows none; to be released with known_crates_done. */
struct known_crates {
    struct intern names;
    VEC(struct slice) crates; /* by name; of the profile; empty where functions of one name are of several */
};

void known_crates_done(struct known_crates *known);

/* Adds all functions of the profile, which must outlive the result, that have a crate. */
void known_crates_add(struct known_crates *known, const struct profile *profile);

/* The crate of the functions with this name; empty when there are none, or not one alone. */
struct slice known_crates_find(const struct known_crates *known, struct slice name);

#endif
