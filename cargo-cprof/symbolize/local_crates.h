/* The crates that local source files are of, as the units of one file of code tell (dwarf/crate_folders.h).
 */
#ifndef SYMBOLIZE_LOCAL_CRATES_H
#define SYMBOLIZE_LOCAL_CRATES_H

#include "dwarf/crate_folders.h"

/* Zero-initialised knows none; to be released with local_crates_done. */
struct local_crates {
    struct crate_folders folders;
    struct intern names; /* by number of the crate */
    bool is_read;        /* all units were added */
};

/* Adds a unit whose names are known; `crate` is copied, and empty where nobody knows it. */
void local_crates_add(struct local_crates *local, const struct unit *unit, struct slice crate);

/* The crate of the source file that code in the unit comes from, empty if not known. Lives with `local`. */
struct slice local_crates_find(const struct local_crates *local, const struct unit *unit, struct slice path);

void local_crates_done(struct local_crates *local);

#endif
