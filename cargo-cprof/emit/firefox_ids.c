#include "emit/firefox_ids.h"

#include "base/memory.h"

/* How often each pair of numbers was met. Zero-initialised is empty. */
struct meetings {
    struct pair_index pairs;
    VEC(uint32_t) counts; /* by pair */
};

struct process {
    uint32_t pid_repeat;
    bool has_main;
};

struct numbering {
    struct meetings pids;
    struct meetings tids;
    struct meetings leaders;      /* program, name of the thread */
    struct meetings starts;       /* program: how often it was started again */
    struct pair_index process_of; /* program, which start of it */
    VEC(struct process) processes;
};

static void meetings_done(struct meetings *meetings)
{
    pair_index_done(&meetings->pairs);
    vec_done(&meetings->counts);
}

static void numbering_done(struct numbering *numbering)
{
    meetings_done(&numbering->pids);
    meetings_done(&numbering->tids);
    meetings_done(&numbering->leaders);
    meetings_done(&numbering->starts);
    pair_index_done(&numbering->process_of);
    vec_done(&numbering->processes);
}

/* Valid until the next call for the same ones. */
static uint32_t *times_met(struct meetings *meetings, uint64_t first, uint64_t second)
{
    uint32_t pair = pair_index_add(&meetings->pairs, first, second);

    if (pair == meetings->counts.count)
        *vec_add(&meetings->counts) = 0;
    return &meetings->counts.items[pair];
}

static bool is_leader(const struct profile_thread *thread)
{
    return thread->pid == thread->tid;
}

/*
 * A process's name changes by an exec alone. Where that starts a program of the same name, the leader has the
 * same names once more; under another name it is the same leader, renamed.
 */
static struct process *process_of(struct numbering *numbering, const struct profile_thread *thread)
{
    uint64_t program = (uint64_t)thread->pid << 32 | thread->process_name;
    uint32_t *starts = times_met(&numbering->starts, program, 0);
    uint32_t process = 0;

    if (is_leader(thread)) {
        uint32_t *times = times_met(&numbering->leaders, program, thread->name);

        if (*times > *starts)
            *starts = *times;
        ++*times;
    }
    process = pair_index_add(&numbering->process_of, program, *starts);
    if (process == numbering->processes.count)
        *vec_add(&numbering->processes) =
            (struct process){.pid_repeat = (*times_met(&numbering->pids, thread->pid, 0))++};
    return &numbering->processes.items[process];
}

static struct firefox_id id_of(struct numbering *numbering, const struct profile_thread *thread)
{
    struct process *process = process_of(numbering, thread);
    bool is_main = is_leader(thread) && !process->has_main;

    process->has_main = process->has_main || is_main;
    return (struct firefox_id){
        .pid_repeat = process->pid_repeat,
        .tid_repeat = (*times_met(&numbering->tids, thread->tid, 0))++,
        .is_main = is_main,
    };
}

struct firefox_id *firefox_ids_make(const struct profile *profile)
{
    SCOPED(numbering_done) struct numbering numbering = {0};
    struct firefox_id *ids = memory_new(profile->threads.count + 1, sizeof(struct firefox_id));

    for (size_t i = 0; i < profile->threads.count; i++)
        ids[i] = id_of(&numbering, &profile->threads.items[i]);
    return ids;
}
