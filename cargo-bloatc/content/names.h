/* The functions of a code map with their names and crates. */
#ifndef CONTENT_NAMES_H
#define CONTENT_NAMES_H

#include "content/measure.h"
#include "size/code_map.h"
#include "size/std_copies.h"

/*
 * Adds to `out` every function of the map that takes space. `std` tells which crates are the standard
 * library's; what the map's own names say is added to it first.
 */
void names_add(const struct code_map *map, struct std_copies *std, struct measurement *out);

#endif
