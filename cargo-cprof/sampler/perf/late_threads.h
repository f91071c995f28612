/*
 * Threads that were added while others were watched. Such a thread may have inherited the events of the one
 * that it came from: of one that came before these were counting nothing tells, but they do count in it
 * (perf_event_open(2), "inherit"). With events of its own it is then sampled twice, and so is all that comes
 * from it; only what its own events tell is to be taken.
 */
#ifndef SAMPLER_PERF_LATE_THREADS_H
#define SAMPLER_PERF_LATE_THREADS_H

#include "base/vec.h"
#include "sampler/sampler.h"

struct late_thread {
    uint32_t tid;
    uint64_t first_id; /* of its own events; those of the ones that it may have inherited are lower */
};

/* Zero-initialised is none; to be released with late_threads_done. */
struct late_threads {
    VEC(struct late_thread) items;
};

void late_threads_done(struct late_threads *threads);

/* The thread has events of its own, from `first_id` on. UINT64_MAX: the thread is gone, nothing changes. */
void late_threads_add(struct late_threads *threads, uint32_t tid, uint64_t first_id);

/*
 * To be asked of each event, in the order of time: whether it is a sample that the thread's own events have
 * taken as well. Threads that come and end are taken notice of.
 */
bool late_threads_are_told_twice(struct late_threads *threads, const struct sampler_event *event);

#endif
