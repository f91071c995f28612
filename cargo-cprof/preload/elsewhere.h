/* Memory that a program has from elsewhere than malloc: nothing is told of it, and that is to be known. */
#ifndef PRELOAD_ELSEWHERE_H
#define PRELOAD_ELSEWHERE_H

#include <stdint.h>

/*
 * As a program begins: whether its own malloc comes before ours, `ours`, or it has another allocator of its
 * own, which is followed if it can be. Only where records are wanted.
 */
void elsewhere_begin(uintptr_t ours);

/* A process was forked off: what is there is its parent's. */
void elsewhere_begin_child(void);

/* It is about to give back memory that malloc did not give. */
void elsewhere_give_back(void);

/* As it ends, having had `most_of_malloc` bytes of that at its peak. */
void elsewhere_end(int64_t most_of_malloc);

/* The function that programs get by that name, unless they have their own. */
uintptr_t heap_own_malloc(void);

#endif
