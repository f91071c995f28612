/*
 * The rings of a sampler: on each processor one for each event kind, and on those that are not asked for one
 * for what happens to processes: a program may be started there before it is sampled here. Each belongs to an
 * event of our own that never happens, so that it stays whichever of the threads that write to it ends first;
 * of inherited events only those of one processor can be mapped (perf_event_open(2), "inherit"), so rings are
 * by processor.
 */
#ifndef SAMPLER_PERF_RINGS_H
#define SAMPLER_PERF_RINGS_H

#include "sampler/perf/attributes.h"
#include "sampler/perf/ring.h"

enum { RING_KIND_OF_PROCESSES = 0 }; /* the first kind tells what happens to processes */

/* What a ring is for. */
struct ring_use {
    int cpu;
    uint32_t kind;
    bool is_sampled;          /* else only what happens to processes is told there, */
    bool is_of_switches;      /* or which thread comes and goes */
    uint32_t watermark_bytes; /* when we want to be waked */
};

/* To be released with rings_done. Zero-initialised is none. */
struct rings {
    struct ring *items;    /* owned; `count`, and a place for one that is no ring of the kernel's */
    int *descriptors;      /* owned; of each ring's event, which others are sent to */
    struct ring_use *uses; /* owned; of each ring */
    size_t count;
    uint32_t stack_bytes; /* what fits of a stack in a record */
};

/*
 * Maps as large rings as the system allows, for `kind_count` kinds of events, the last one that of
 * switches where the request takes those, 32 MiB at most in all where
 * there are fewer than 500. Returns 0, or -1: ERROR_IO when not even small ones may be had, ERROR_DENIED when
 * there are no perf events for us, ERROR_MISSING when the request names a processor that does not run.
 */
MUST_CHECK int rings_open(const struct sampler_request *request, size_t kind_count, struct rings *out,
                          struct error *err);

void rings_done(struct rings *rings);

#endif
