/*
 * Whether a program takes its memory from another allocator than the system's, by the functions and libraries
 * that were seen and what a recording of the heap tells.
 */
#ifndef FACTS_OTHER_ALLOCATOR_H
#define FACTS_OTHER_ALLOCATOR_H

#include "base/slice.h"
#include "profile/profile.h"

/* False also where nothing tells: one that is linked in has a name there only where it had a sample. */
bool other_allocator_exists(const struct profile *profile);

/* Whether the function is one of such an allocator's, by its name: `_rjem_malloc`, `mi_free`. */
bool other_allocator_has(struct slice function);

#endif
