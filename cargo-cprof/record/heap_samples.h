/* The samples of a heap event: which blocks it is about, and what each stands for. */
#ifndef RECORD_HEAP_SAMPLES_H
#define RECORD_HEAP_SAMPLES_H

#include "record/heap.h"

/* Adds the samples of what `series` is to tell, and how often that happened in all. */
void heap_add_samples(const struct heap *heap, struct profile *profile, enum sampler_heap what,
                      uint32_t series);

#endif
