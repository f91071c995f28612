/*
 * The names that perf has for events (perf-list(1)), as perf_event_open(2) has them:
 *
 *     cycles  cpu-clock  page-faults      hardware and software
 *     L1-dcache-load-misses               caches
 *     r1a8                                raw: the processor's own number
 *     sched:sched_switch                  a tracepoint
 *     mem:0x404028/8:w                    what is done to memory (sampler/perf/breakpoint.h)
 *     off-cpu                             where threads wait, as of perf record --off-cpu
 *
 * A modifier may follow a ":": u without the kernel's part, k without the program's own, p (up to three
 * times) nearer to the instruction, P as near as the machine has it.
 */
#ifndef SAMPLER_PERF_EVENT_NAME_H
#define SAMPLER_PERF_EVENT_NAME_H

#include "base/arena.h"
#include "base/error.h"
#include "base/slice.h"
#include "sampler/request.h"

#define EVENT_OF_WAITS "off-cpu"

/* The names of what is told of the heap, by enum sampler_heap; NULL: none. */
const char *event_name_of_heap(enum sampler_heap heap);

/*
 * Reads one name; perf's forms PMU/.../ and {...} are none. `tracing` is the folder of tracefs, usually
 * "/sys/kernel/tracing". The result lives in `arena`. Returns 0, or -1: ERROR_USAGE for no name that perf
 * has, ERROR_MISSING when the kernel has no such tracepoint or tracefs is not there, ERROR_DENIED when it may
 * not be read; the hint says what to do.
 */
MUST_CHECK int event_name_read(struct arena *arena, struct slice name, const char *tracing,
                               struct sampler_event_kind *out, struct error *err);

/* The name of hardware and software events by their numbers; NULL of all others, and of what has none. */
const char *event_name_of_number(uint32_t type, uint64_t config);

/* Whether two names are of one event with the same modifiers: "cs" and "context-switches". Of tracepoints,
 * and of what is no event, the same names alone are. */
bool event_name_is_same(struct slice a, struct slice b);

#endif
