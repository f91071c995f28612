#include "sampler/perf/late_threads.h"

void late_threads_done(struct late_threads *threads)
{
    vec_done(&threads->items);
}

/* Few threads come just while others are being found, so looking through them all is fast enough. */
static struct late_thread *find(const struct late_threads *threads, uint32_t tid)
{
    for (size_t i = 0; i < threads->items.count; i++)
        if (threads->items.items[i].tid == tid)
            return &threads->items.items[i];
    return NULL;
}

static void forget(struct late_threads *threads, uint32_t tid)
{
    struct late_thread *thread = find(threads, tid);

    if (thread)
        *thread = threads->items.items[--threads->items.count];
}

void late_threads_add(struct late_threads *threads, uint32_t tid, uint64_t first_id)
{
    if (first_id == UINT64_MAX)
        return;
    forget(threads, tid);
    *vec_add(&threads->items) = (struct late_thread){tid, first_id};
}

/* A number that is used again is that of another thread. */
static void note_fork(struct late_threads *threads, const struct sampler_event *event)
{
    const struct late_thread *parent = find(threads, event->fork.parent_tid);

    if (parent)
        late_threads_add(threads, event->tid, parent->first_id);
    else
        forget(threads, event->tid);
}

bool late_threads_are_told_twice(struct late_threads *threads, const struct sampler_event *event)
{
    const struct late_thread *thread = NULL;

    if (threads->items.count == 0)
        return false;
    switch (event->kind) {
    case SAMPLER_FORK:
        note_fork(threads, event);
        return false;
    case SAMPLER_EXIT:
        forget(threads, event->tid);
        return false;
    case SAMPLER_SAMPLE:
    case SAMPLER_SWITCH:
        thread = find(threads, event->tid);
        return thread && event->event_id < thread->first_id;
    default:
        return false;
    }
}
