/*
 * An allocator of the program's own, what it has with #[global_allocator], by its functions' names. All
 * allocations go through it, so that its caller is who has asked for memory.
 */
#ifndef FACTS_GLOBAL_ALLOCATOR_H
#define FACTS_GLOBAL_ALLOCATOR_H

#include <stdbool.h>

#include "base/slice.h"

/* Whether the function is a method of such an allocator (core::alloc::GlobalAlloc). */
bool global_allocator_has(struct slice name);

#endif
