/*
 * What threads had no time to tell: those that still run as their process ends, or as the recording does,
 * count where it can be read after all.
 */
#ifndef COLLECT_HEAP_UNTOLD_H
#define COLLECT_HEAP_UNTOLD_H

#include "collect/heap/heap.h"

/* A thread of that process told of so much that it was given since it told last. */
void heap_untold_note(struct heap *heap, uint32_t process, const struct sample_heap *given);

/*
 * Adds to what was told all that threads counted beyond it in the window, and what each process has at its
 * end. Once, when all is told.
 */
void heap_untold_add(struct heap *heap, const struct heap_slots *slots);

#endif
