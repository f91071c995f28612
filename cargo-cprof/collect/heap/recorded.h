/* The heap while a recording goes on: what the programs' own library tells of their memory. */
#ifndef COLLECT_HEAP_RECORDED_H
#define COLLECT_HEAP_RECORDED_H

#include "collect/recorder.h"

/* SAMPLER_ALLOCATED to SAMPLER_COUNTED. */
void recorded_heap_take(struct recorder *recorder, const struct sampler_event *event);

/* Whatever else is told: whether a process begins or has ended by it, and which have the library. */
void recorded_heap_note_process(struct recorder *recorder, const struct sampler_event *event);

/* No more is told, and all stacks are known: adds the samples. */
void recorded_heap_end(struct recorder *recorder, const struct sampler *sampler);

#endif
