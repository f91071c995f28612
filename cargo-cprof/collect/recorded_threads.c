#include "collect/recorded_threads.h"

void recorded_threads_done(struct recorded_threads *threads)
{
    pair_index_done(&threads->names);
    vec_done(&threads->ids);
}

static uint32_t add_thread(struct profile *profile, struct processes *processes, uint32_t pid, uint32_t tid)
{
    const struct process_thread *thread = processes_thread(processes, pid, tid);
    uint32_t shown = tid == PROCESSES_NO_TID ? 0 : tid;
    uint32_t id = profile_add_thread(profile, pid, shown, processes_name(processes, thread));

    profile->threads.items[id].process_name = profile_string(profile, processes_process_name(processes, pid));
    profile->threads.items[id].run = profile->run_count;
    return id;
}

/* Where the id is that the thread has by its name; THREAD_NO_MARK there: it was not met yet. Valid until the
 * next call. */
static uint32_t *id_by_name(struct recorded_threads *threads, const struct process_thread *thread)
{
    uint32_t slot = pair_index_add(&threads->names, thread->first_mark, thread->name);

    if (slot == threads->ids.count)
        *vec_add(&threads->ids) = THREAD_NO_MARK;
    return &threads->ids.items[slot];
}

/* From here on the thread is the same again whenever it has this name. */
static void remember_name(struct recorded_threads *threads, const struct process_thread *thread)
{
    uint32_t *id = id_by_name(threads, thread);

    *id = thread->mark;
}

uint32_t recorded_thread(struct recorded_threads *threads, struct profile *profile,
                         struct processes *processes, const struct sampler_event *sample)
{
    struct process_thread *thread = processes_thread(processes, sample->pid, sample->tid);
    uint32_t id = thread->mark;

    if (thread->sample_count <= THREAD_FEW_SAMPLES)
        thread->sample_count++;
    if (id != THREAD_NO_MARK)
        return id;
    if (thread->first_mark != THREAD_NO_MARK)
        id = *id_by_name(threads, thread);
    if (id == THREAD_NO_MARK)
        id = add_thread(profile, processes, sample->pid, sample->tid);
    thread = processes_thread(processes, sample->pid, sample->tid);
    thread->mark = id;
    if (thread->first_mark == THREAD_NO_MARK)
        thread->first_mark = id;
    if (thread->name_count > 0)
        remember_name(threads, thread);
    return id;
}

static void rename_process(struct profile *profile, const struct processes *processes,
                           const struct process_thread *leader)
{
    uint32_t name = profile_string(profile, processes_name(processes, leader));

    for (size_t i = 0; i < profile->threads.count; i++)
        if (profile->threads.items[i].pid == leader->pid)
            profile->threads.items[i].process_name = name;
}

void recorded_thread_rename(struct recorded_threads *threads, struct profile *profile,
                            struct processes *processes, const struct sampler_event *event)
{
    struct process_thread *thread = processes_thread(processes, event->pid, event->tid);

    if (thread->name_count > 1) {
        thread->mark = THREAD_NO_MARK;
        return;
    }
    if (thread->pid == thread->tid)
        rename_process(profile, processes, thread);
    if (thread->mark == THREAD_NO_MARK)
        return;
    profile->threads.items[thread->mark].name = profile_string(profile, processes_name(processes, thread));
    remember_name(threads, thread);
}

void recorded_thread_separate(struct processes *processes, const struct sampler_event *event)
{
    struct process_thread *thread = processes_thread(processes, event->pid, event->tid);

    thread->mark = thread->first_mark = THREAD_NO_MARK;
}
