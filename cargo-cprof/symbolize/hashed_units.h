/*
 * The crates of units that incremental builds, as those of cargo's dev profile, name by a hash alone: the
 * functions in the root files of their crates tell (size/root_crates.h).
 */
#ifndef SYMBOLIZE_HASHED_UNITS_H
#define SYMBOLIZE_HASHED_UNITS_H

#include "size/root_crates.h"

/* Of one file. Zero-initialised knows none; to be released with hashed_units_done. */
struct hashed_units {
    struct root_crates roots;
    bool is_read;
};

/*
 * Finds the crates of all such units of `debug`, and names the units that were not named yet. `map` is of all
 * functions of the file, and needed during the call only. Never fails: what is damaged tells nothing.
 */
void hashed_units_read(struct hashed_units *hashed, struct debug_info *debug, const struct code_map *map);

/* The crate of such a unit, as long as `hashed` lives; empty when nothing tells. */
struct slice hashed_units_crate(const struct hashed_units *hashed, const struct unit *unit);

void hashed_units_done(struct hashed_units *hashed);

#endif
