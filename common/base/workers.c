#include "base/workers.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

enum { MOST_THREADS = 64 };

struct workers {
    workers_job *job;
    void *context;
    size_t job_count;
    atomic_size_t next;
};

static void *work(void *argument)
{
    struct workers *workers = argument;

    for (;;) {
        size_t index = atomic_fetch_add(&workers->next, 1);

        if (index >= workers->job_count)
            return NULL;
        workers->job(workers->context, index);
    }
}

static unsigned usable_processors(void)
{
    cpu_set_t set;
    int count = sched_getaffinity(0, sizeof(set), &set) == 0 ? CPU_COUNT(&set) : 1;

    return count > 0 ? (unsigned)count : 1;
}

void workers_run(size_t job_count, unsigned thread_count, workers_job *job, void *context)
{
    struct workers workers = {.job = job, .context = context, .job_count = job_count};
    pthread_t threads[MOST_THREADS];
    size_t wanted = thread_count > 0 ? thread_count : usable_processors();
    size_t started = 0;

    if (wanted > MOST_THREADS)
        wanted = MOST_THREADS;
    while (started + 1 < wanted && started + 1 < job_count &&
           pthread_create(&threads[started], NULL, work, &workers) == 0)
        started++;
    work(&workers);
    while (started > 0)
        pthread_join(threads[--started], NULL);
}
