/* The threads of processes that run already: those that are there, and those that come while they are found.
 */
#ifndef RECORD_FOUND_THREADS_H
#define RECORD_FOUND_THREADS_H

#include "collect/collect.h"
#include "process/pid_list.h"

/* Zero-initialised is empty. To be released with found_threads_done. */
struct found_threads {
    struct pids tids;
    struct pids owners; /* the process of each; those of one process lie together */
};

void found_threads_done(struct found_threads *threads);

/* Adds the threads of the processes. Returns 0, or -1 as of attach_check for one that cannot be watched. */
MUST_CHECK int found_threads_collect(const struct pids *processes, struct found_threads *threads,
                                     struct error *err);

/*
 * Tells the recorder what the processes have mapped and who the threads are. The sampler, opened for them,
 * has been started; threads that have come meanwhile and that no event tells of are added to it.
 */
void found_threads_take(const struct found_threads *threads, struct recorder *recorder,
                        struct sampler *sampler);

#endif
