/*
 * Events tell the time by the kernel's own CLOCK_MONOTONIC. That of a time namespace, which containers may
 * have and programs restored from a checkpoint do, is ahead of it, or behind (time_namespaces(7)).
 */
#ifndef SAMPLER_PERF_TIME_OFFSET_H
#define SAMPLER_PERF_TIME_OFFSET_H

#include <stdint.h>

#include "base/slice.h"

/*
 * What is to be added to the time of an event for the one that clock_now_ns showed then, in ns; a clock that
 * is behind wraps around. 0 when /proc does not tell.
 */
uint64_t time_offset_ns(void);

/* The same from the text of /proc/self/timens_offsets; 0 when it is of another form. */
uint64_t time_offset_read(struct slice text);

#endif
