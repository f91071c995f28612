/* The samples of a heap event: which blocks it is about, and what each stands for. */
#ifndef COLLECT_HEAP_SAMPLES_H
#define COLLECT_HEAP_SAMPLES_H

#include "collect/heap/heap.h"

/* Adds the samples of what `series` is to tell, and how often that happened in all. */
void heap_add_samples(const struct heap *heap, struct profile *profile, enum sampler_heap what,
                      uint32_t series);

#endif
