/* The functions of a code map with their names and crates. */
#ifndef CARGO_BLOATC_NAMES_H
#define CARGO_BLOATC_NAMES_H

#include "measure.h"
#include "size/code_map.h"

/*
 * Adds to `out` every function of the map that takes space.
 *
 * A crate that std was built with, hashbrown say, counts as std's when `program_crates` (NULL: not known)
 * does not hold it. Where the program may have one of its own, std's is told from it by the hash it has
 * where std instantiated its code, and in a file with both manglings by the v0 names, which are std's there.
 */
void names_add(const struct code_map *map, const struct intern *program_crates, struct measurement *out);

#endif
