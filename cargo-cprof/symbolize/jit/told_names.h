/* Names of code that is in no file, made at run time: as its process has told them. */
#ifndef SYMBOLIZE_JIT_TOLD_NAMES_H
#define SYMBOLIZE_JIT_TOLD_NAMES_H

#include "symbolize/resolve.h"

/*
 * Gives each of `count` locations of a module of kind MODULE_JIT, which rise by address, its one frame: named
 * by what the process told with times (work->jit_names), else without, or of a function without a name that
 * says why. Locations that had another name before, in a file without times, are added to work->reused.
 */
void told_names_add(struct symbolizing *work, uint32_t module, const uint32_t *locations, size_t count);

/* The same of locations in no module, so that no process is known that could tell of them. */
void told_names_none(struct symbolizing *work, const uint32_t *locations, size_t count);

#endif
