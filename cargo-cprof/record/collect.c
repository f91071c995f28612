#include "record/collect.h"

#include <stdlib.h>

#include "base/memory.h"
#include "proc/pid_namespace.h"
#include "process/remote.h"
#include "process/snapshot.h"
#include "record/recorder.h"
#include "record/sampled_stack.h"
#include "record/taken_away.h"

static size_t read_memory(void *context, uint64_t start, size_t length, char *out)
{
    const uint32_t *pid = context;

    return remote_read(*pid, start, length, out);
}

struct recorder *recorder_new(struct profile *profile)
{
    struct recorder *recorder = memory_new(1, sizeof(*recorder));

    *recorder = (struct recorder){.profile = profile, .until_ns = UINT64_MAX};
    recorder->first_series = (uint32_t)profile->series.count;
    recorder->processes.is_contained = !pid_namespace_is_first();
    recorder->processes.has_foreign_proc = !pid_namespace_has_proc();
    unwinder_init(&recorder->unwinder);
    outer_init(&recorder->outer, read_memory);
    patience_init(&recorder->patience);
    return recorder;
}

void recorder_free(struct recorder *recorder)
{
    if (!recorder)
        return;
    sampled_modules_done(&recorder->sampled);
    held_samples_done(&recorder->held);
    recorded_threads_done(&recorder->threads);
    stack_prefix_done(&recorder->prefix);
    outer_done(&recorder->outer);
    unwinder_done(&recorder->unwinder);
    processes_done(&recorder->processes);
    modules_done(&recorder->modules);
    free(recorder);
}

void recorder_add_series(struct recorder *recorder, const struct sampler *sampler)
{
    struct profile *profile = recorder->profile;

    /* Further runs of a program have the same events as the first. */
    while (profile->series.count - recorder->first_series < sampler_source_count(sampler)) {
        size_t index = profile->series.count - recorder->first_series;
        struct sampler_source source = sampler_source(sampler, index);
        uint32_t series =
            profile_add_series(profile, slice_of(source.event), slice_of(source.unit), source.frequency_hz);

        profile->series.items[series].is_user_only = source.is_user_only;
    }
}

void recorder_forget_processes(struct recorder *recorder)
{
    const struct processes kept = {
        .last_generation = recorder->processes.last_generation, /* the unwinder's: none comes twice */
        .is_contained = recorder->processes.is_contained,
        .has_foreign_proc = recorder->processes.has_foreign_proc,
    };

    processes_done(&recorder->processes);
    recorder->processes = kept;
    copy_size_begin(&recorder->copies.size);
}

void recorder_add_memory(struct recorder *recorder, uint32_t pid)
{
    snapshot_add_memory(&recorder->processes, &recorder->modules, pid);
}

void recorder_add_thread(struct recorder *recorder, uint32_t pid, uint32_t tid)
{
    snapshot_add_thread(&recorder->processes, &recorder->modules, pid, tid);
}

void recorder_add_all_processes(struct recorder *recorder)
{
    snapshot_add_all(&recorder->processes, &recorder->modules);
}

bool recorder_knows_thread(const struct recorder *recorder, uint32_t tid)
{
    return processes_has_thread(&recorder->processes, tid);
}

size_t recorder_process_count(const struct recorder *recorder)
{
    return recorder->processes.spaces.count;
}

void recorder_set_stacks(struct recorder *recorder, enum sampler_stacks stacks, uint16_t most_calls)
{
    recorder->stacks = stacks;
    recorder->most_calls = most_calls;
}

void recorder_keep(struct recorder *recorder, uint64_t from_ns, uint64_t until_ns)
{
    recorder->from_ns = from_ns;
    recorder->until_ns = until_ns;
}

static void record_sample(struct recorder *recorder, const struct sampler_event *event)
{
    struct held_sample held = {
        .sample = {.time_ns = event->time_ns,
                   .value = event->sample.period,
                   .thread =
                       recorded_thread(&recorder->threads, recorder->profile, &recorder->processes, event),
                   .stack = PROFILE_NONE},
        .series = recorder->first_series + event->kind_index,
        .end = STACK_NO_USER,
    };

    sampled_stack_find(recorder, event, &held);
    /* What was still being written when the rings were looked at comes a little late. */
    if (held.sample.time_ns < recorder->last_time_ns)
        held.sample.time_ns = recorder->last_time_ns;
    recorder->last_time_ns = held.sample.time_ns;
    held_samples_add(&recorder->held, recorder->profile, &recorder->outer, &held);
}

static void forget_thread(struct recorder *recorder, const struct sampler_event *event)
{
    uint32_t id = processes_thread(&recorder->processes, event->pid, event->tid)->first_mark;

    if (id != THREAD_NO_MARK)
        outer_end_thread(&recorder->outer, id);
}

static void take_name(struct recorder *recorder, const struct sampler_event *event)
{
    if (event->name.is_exec) {
        forget_thread(recorder, event);
        recorded_thread_separate(&recorder->processes, event);
    } else {
        recorded_thread_rename(&recorder->threads, recorder->profile, &recorder->processes, event);
    }
}

static void record_event(struct recorder *recorder, const struct sampler_event *event)
{
    if (event->time_ns > recorder->last_event_ns)
        recorder->last_event_ns = event->time_ns;
    if (event->kind == SAMPLER_SAMPLE) {
        if (event->time_ns >= recorder->from_ns && event->time_ns < recorder->until_ns)
            record_sample(recorder, event);
        return;
    }
    if (event->kind == SAMPLER_THROTTLED)
        recorder->throttled_count++;
    if (event->kind == SAMPLER_LOST)
        recorder->catch_up.has_lost = true;
    if (event->kind == SAMPLER_EXIT) {
        forget_thread(recorder, event);
        taken_away_note(recorder->profile, &recorder->processes, event);
    }
    processes_apply(&recorder->processes, &recorder->modules, event);
    if (event->kind == SAMPLER_NAME && !processes_is_outside(&recorder->processes, event->pid))
        take_name(recorder, event);
}

void recorder_drain(struct recorder *recorder, struct sampler *sampler, bool to_the_end)
{
    struct sampler_event event;

    copies_begin_round(&recorder->copies, sampler);
    patience_begin_round(&recorder->patience, &recorder->outer);
    sampler_begin_round(sampler, to_the_end);
    outer_begin_round(&recorder->outer);
    while (sampler_next(sampler, &event))
        record_event(recorder, &event);
    catch_up_if_lost(&recorder->catch_up, &recorder->processes, &recorder->modules);
    copies_settle(&recorder->copies, &recorder->held, recorder->profile, &recorder->outer, to_the_end);
    if (!to_the_end && copies_fit(&recorder->copies, &recorder->held, sampler))
        recorder->catch_up.has_lost = true;
}

int recorder_patience_ms(const struct recorder *recorder)
{
    return patience_ms(&recorder->patience, &recorder->outer);
}

void recorder_note_replaced(struct recorder *recorder)
{
    sampled_modules_note_replaced(&recorder->sampled, &recorder->modules, recorder->profile);
}

void recorder_keep_files(const struct recorder *recorder, struct open_files *files)
{
    sampled_modules_keep_files(&recorder->sampled, &recorder->modules, recorder->profile, files);
}

uint64_t recorder_last_ns(const struct recorder *recorder)
{
    return recorder->last_event_ns;
}

uint64_t recorder_throttled_count(const struct recorder *recorder)
{
    return recorder->throttled_count;
}
