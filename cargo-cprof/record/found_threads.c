#include "record/found_threads.h"

#include "target/attach.h"

void found_threads_done(struct found_threads *threads)
{
    vec_done(&threads->tids);
    vec_done(&threads->owners);
}

/* Those that a process has now. */
static void add_threads_of(pid_t pid, struct found_threads *threads)
{
    attach_add_threads(pid, &threads->tids);
    while (threads->owners.count < threads->tids.count)
        *vec_add(&threads->owners) = pid;
}

int found_threads_collect(const struct pids *processes, struct found_threads *threads, struct error *err)
{
    for (size_t i = 0; i < processes->count; i++) {
        pid_t pid = processes->items[i];

        if (attach_check(&pid, err) < 0)
            return -1;
        if (!pids_have(&threads->owners, pid)) /* a number may be given twice, or be that of another thread */
            add_threads_of(pid, threads);
    }
    return 0;
}

static bool is_first_of_process(const struct found_threads *threads, size_t i)
{
    return i == 0 || threads->owners.items[i] != threads->owners.items[i - 1];
}

/* The threads of a process that nothing has told of yet, added to `unknown`. */
static void find_unknown(const struct recorder *recorder, pid_t pid, struct found_threads *unknown)
{
    struct found_threads all = {0};

    add_threads_of(pid, &all);
    for (size_t i = 0; i < all.tids.count; i++) {
        if (recorder_knows_thread(recorder, (uint32_t)all.tids.items[i]))
            continue;
        *vec_add(&unknown->tids) = all.tids.items[i];
        *vec_add(&unknown->owners) = pid;
    }
    found_threads_done(&all);
}

/*
 * A thread that came while the others were being found, from one that was not watched yet, is one that no
 * event tells of, however often we look; nor does one tell of the name that it had before. Returns how many
 * unknown ones there are.
 */
static size_t add_late_threads(const struct found_threads *threads, struct recorder *recorder,
                               struct sampler *sampler, struct found_threads *suspects)
{
    struct found_threads unknown = {0};
    struct error ignored = {0};
    size_t count = 0;

    for (size_t i = 0; i < threads->owners.count; i++)
        if (is_first_of_process(threads, i))
            find_unknown(recorder, threads->owners.items[i], &unknown);
    recorder_drain(recorder, sampler, false);
    for (size_t i = 0; i < unknown.tids.count; i++) {
        pid_t tid = unknown.tids.items[i];

        if (recorder_knows_thread(recorder, (uint32_t)tid))
            continue;
        count++;
        if (!pids_have(&suspects->tids, tid))
            continue;
        if (sampler_add_thread(sampler, tid, &ignored) < 0)
            break;
        recorder_add_thread(recorder, (uint32_t)unknown.owners.items[i], (uint32_t)tid);
    }
    found_threads_done(suspects);
    *suspects = unknown;
    return count;
}

void found_threads_take(const struct found_threads *threads, struct recorder *recorder,
                        struct sampler *sampler)
{
    enum { MOST_LOOKS = 20 };
    struct found_threads suspects = {0};
    size_t looks = 0;

    for (size_t i = 0; i < threads->owners.count; i++) {
        uint32_t pid = (uint32_t)threads->owners.items[i];

        if (is_first_of_process(threads, i))
            recorder_add_memory(recorder, pid);
        recorder_add_thread(recorder, pid, (uint32_t)threads->tids.items[i]);
    }
    while (looks < MOST_LOOKS && add_late_threads(threads, recorder, sampler, &suspects) > 0)
        looks++;
    found_threads_done(&suspects);
}
