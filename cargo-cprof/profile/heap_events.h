/* The events that are of memory that was given, by the names that sampler/perf/event_name.h has for them. */
#ifndef PROFILE_HEAP_EVENTS_H
#define PROFILE_HEAP_EVENTS_H

#include <stdbool.h>

#include "base/slice.h"

enum heap_event {
    HEAP_EVENT_NONE,
    HEAP_EVENT_PEAK,  /* "heap-peak" */
    HEAP_EVENT_END,   /* "heap-end" */
    HEAP_EVENT_BYTES, /* "alloc-bytes" */
    HEAP_EVENT_COUNT, /* "alloc-count" */
};

/* Of the library that tells of them, in the program: preload/. */
#define HEAP_LIBRARY_NAME "libcargo-cprof-heap.so"

/* Whether it is the path of that library. */
bool heap_library_is(struct slice path);

enum heap_event heap_event_of(struct slice event);

/*
 * Whether it is what there is at one moment of a run, and not what was given in all of it: of several runs
 * the values are those of each divided by their number, so that they add up to the mean.
 */
bool heap_event_is_of_moment(enum heap_event event);

#endif
