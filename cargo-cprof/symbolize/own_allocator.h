/* Programs that bring an allocator of their own: malloc and free are not asked for what that one gives. */
#ifndef SYMBOLIZE_OWN_ALLOCATOR_H
#define SYMBOLIZE_OWN_ALLOCATOR_H

#include "profile/profile.h"

/* Of a malloc of which nothing tells whose it is. */
#define OWN_ALLOCATOR_UNNAMED "an allocator of its own"

/*
 * What the allocator is called that is linked into one of the profile's programs, by the functions that such
 * ones have in their symbol tables: "jemalloc", "mimalloc"; NULL when there is none that we know, or nothing
 * tells.
 */
const char *own_allocator_of(const struct profile *profile);

/* The same of a function's name: "_rjem_malloc", "mi_malloc"; NULL for any other. */
const char *own_allocator_with(struct slice function);

/* Whether what is called so may be followed as it gives memory (preload/linked/). */
bool own_allocator_may_tell(struct slice allocator);

/* Keeps what own_allocator_of tells in a recording of the heap. */
void own_allocator_note(struct profile *profile);

#endif
