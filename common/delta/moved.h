/*
 * Functions that other crates pay for than before, though they are as large in all: of what several crates
 * make alike, such as instances of std's generics, a linker or LTO keeps one, and which one changes with
 * anything.
 */
#ifndef DELTA_MOVED_H
#define DELTA_MOVED_H

#include "delta/delta.h"

/*
 * Sets is_moved of the entries that changed in two crates or more and, of one name (same_name.h), add up to
 * the same on both sides in all values, and puts them last, in the order they had. Where rows have no crates
 * and names nothing is moved. To be called after delta_filter_apply: what is looked at alone did change.
 */
void delta_find_moved(struct delta *delta);

#endif
