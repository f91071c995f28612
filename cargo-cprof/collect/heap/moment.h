/* When all processes together had the most memory, and what each had then or at its end. */
#ifndef COLLECT_HEAP_MOMENT_H
#define COLLECT_HEAP_MOMENT_H

#include "collect/heap/heap.h"

/* By process what it had at some moment. */
struct heap_kept {
    uint64_t *bytes;  /* owned; to be freed */
    uint64_t time_ns; /* UINT64_MAX: the end of each */
    uint32_t process; /* that told it; PROFILE_NONE: there is none, or it is the end */
};

/* The last one of those with the most. */
struct heap_kept heap_kept_at_peak(const struct heap *heap);
struct heap_kept heap_kept_at_end(const struct heap *heap);

/* Whether a block was there at that time, UINT64_MAX: as its process ended. */
bool heap_is_kept(const struct heap *heap, const struct heap_block *block, uint64_t time_ns);

#endif
