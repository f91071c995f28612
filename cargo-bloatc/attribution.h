/* Gives each measured function the crate that is asked for. */
#ifndef CARGO_BLOATC_ATTRIBUTION_H
#define CARGO_BLOATC_ATTRIBUTION_H

#include "dwarf/debug_info.h"
#include "measure.h"

/*
 * `out` has the functions of the map, as names_add left them, with the crates that define them; with
 * ATTRIBUTE_USED those are replaced, with ATTRIBUTE_LINE the items too, by pieces of them. `debug` is NULL
 * when the file has no debug information.
 */
void attribution_apply(const struct measure_request *request, const struct code_map *map,
                       const struct symbols *symbols, struct debug_info *debug, struct measurement *out);

#endif
