/* Independent jobs spread over threads that share only what they read. */
#ifndef BASE_WORKERS_H
#define BASE_WORKERS_H

#include <stddef.h>

typedef void workers_job(void *context, size_t index);

/*
 * Calls `job` once for every index below `job_count`, from up to `thread_count` threads, this one among
 * them, and returns when all are done. Jobs start in order of index. A `thread_count` of 0 means as many as
 * this process may use processors. Where no further thread can be had, fewer do the work.
 */
void workers_run(size_t job_count, unsigned thread_count, workers_job *job, void *context);

#endif
