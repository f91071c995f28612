/* What a program lacks of the debug information that names need, and how to build it with. */
#ifndef BUILT_DEBUG_ADVICE_H
#define BUILT_DEBUG_ADVICE_H

#include "cargo/build.h"

/*
 * Appends one line about what was built: which setting costs what, where it stands, what to type. Nothing
 * when all is there, or when the program cannot be read. `options` are those that cargo built with.
 */
void debug_advice_add(struct text *out, const struct options *options, const struct cargo_built *built);

#endif
