/*
 * Which of the profile's threads a sample belongs to. A thread that changes its name, as workers do that are
 * called after what they work at, has one for each name. The name that a new thread has from its parent until
 * it is given one of its own is no name of it, unless it works under that one for a while.
 */
#ifndef COLLECT_RECORDED_THREADS_H
#define COLLECT_RECORDED_THREADS_H

#include "process/processes.h"
#include "profile/profile.h"

/* Zero-initialised is empty. */
struct recorded_threads {
    struct pair_index names; /* a thread's first id, a name of it */
    VEC(uint32_t) ids;       /* the profile's thread of each */
};

void recorded_threads_done(struct recorded_threads *threads);

/* The profile's thread of a sample; a new one for a name that was not met yet. */
uint32_t recorded_thread(struct recorded_threads *threads, struct profile *profile,
                         struct processes *processes, const struct sampler_event *sample);

/* `processes` has taken notice of the thread's new name. */
void recorded_thread_rename(struct recorded_threads *threads, struct profile *profile,
                            struct processes *processes, const struct sampler_event *event);

/* Another program: what it does is not what the one before did, though it has its process. */
void recorded_thread_separate(struct processes *processes, const struct sampler_event *event);

#endif
