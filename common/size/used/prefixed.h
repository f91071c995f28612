/* C whose symbols tell the package that built it (rust/package_prefix.h), and what stands in one piece with
 * it. */
#ifndef SIZE_USED_PREFIXED_H
#define SIZE_USED_PREFIXED_H

#include "size/used/used.h"

/*
 * Gives functions that are USED_UNKNOWN and whose name begins with a package's to its crate, as
 * USED_FROM_SUFFIX. The static functions of the same objects have no such names: those are given to it, as
 * USED_INFERRED, that stand between two of its functions with nothing else there, and under the STT_FILE
 * symbol of a source that has a function of the package between two of its own, as the code of an object is
 * in one piece. `out` is by function of the map.
 */
void used_prefixed_find(const struct used_request *request, struct size_crates *crates, struct used *out);

#endif
