#include "collect/collect.h"

#include <stdlib.h>

#include "base/memory.h"
#include "collect/heap/recorded.h"
#include "collect/period_search.h"
#include "collect/recorder.h"
#include "collect/sampled_stack.h"
#include "collect/taken_away.h"
#include "collect/waits/recorded.h"
#include "proc/pid_namespace.h"
#include "process/remote.h"
#include "process/snapshot.h"

static size_t read_memory(void *context, uint64_t start, size_t length, char *out)
{
    const uint32_t *pid = context;

    return remote_read(*pid, start, length, out);
}

struct recorder *recorder_new(struct profile *profile)
{
    struct recorder *recorder = memory_new(1, sizeof(*recorder));

    *recorder = (struct recorder){.profile = profile, .until_ns = UINT64_MAX, .waits_kind = UINT32_MAX};
    recorder->first_series = (uint32_t)profile->series.count;
    recorder->processes.is_contained = !pid_namespace_is_first();
    recorder->processes.has_foreign_proc = !pid_namespace_has_proc();
    unwinder_init(&recorder->unwinder);
    recorder->held.heap = &recorder->heap;
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
    heap_done(&recorder->heap);
    heap_programs_done(&recorder->heap_programs);
    vec_done(&recorder->heap_kinds);
    waits_done(&recorder->waits);
    earlier_waits_done(&recorder->earlier_waits);
    recorded_threads_done(&recorder->threads);
    stack_prefix_done(&recorder->prefix);
    known_rules_done(&recorder->rules);
    outer_done(&recorder->outer);
    unwinder_done(&recorder->unwinder);
    made_code_done(&recorder->made_code);
    processes_done(&recorder->processes);
    modules_done(&recorder->modules);
    free(recorder);
}

void recorder_set_past(struct recorder *recorder, struct past_times times, struct modules_places places)
{
    recorder->modules.places = places;
    recorder->processes.is_past = recorder->processes.has_foreign_proc = true;
    recorder->processes.is_contained = false;
    recorder->processes.past = times;
}

void recorder_add_source(struct recorder *recorder, struct sampler_source source)
{
    struct profile *profile = recorder->profile;
    uint32_t series =
        profile_add_series(profile, slice_of(source.event), slice_of(source.unit), source.frequency_hz);

    profile->series.items[series].is_user_only = source.is_user_only;
}

void recorder_add_series(struct recorder *recorder, const struct sampler *sampler)
{
    struct profile *profile = recorder->profile;

    recorder->heap_kinds.count = 0;
    for (uint32_t i = 0; i < sampler_source_count(sampler); i++) {
        *vec_add(&recorder->heap_kinds) = sampler_source(sampler, i).heap;
        if (sampler_source(sampler, i).is_waits)
            recorder->waits_kind = i;
    }
    /* Further runs of a program have the same events as the first. */
    while (profile->series.count - recorder->first_series < sampler_source_count(sampler)) {
        size_t index = profile->series.count - recorder->first_series;

        recorder_add_source(recorder, sampler_source(sampler, index));
    }
}

void recorder_forget_processes(struct recorder *recorder)
{
    const struct processes kept = {
        .last_generation = recorder->processes.last_generation, /* the unwinder's: none comes twice */
        .is_contained = recorder->processes.is_contained,
        .has_foreign_proc = recorder->processes.has_foreign_proc,
        .jit_dumps = recorder->processes.jit_dumps,
    };

    recorder->processes.jit_dumps = (struct jit_dumps){0};
    processes_done(&recorder->processes);
    recorder->processes = kept;
    heap_programs_done(&recorder->heap_programs);
    copy_size_begin(&recorder->copies.size);
    recorder->has_lost = false;
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

void recorder_add_waits(struct recorder *recorder)
{
    recorded_waits_add_known(recorder);
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
    struct held_sample held = {0};

    if (event->time_ns < recorder->from_ns || event->time_ns >= recorder->until_ns)
        return;
    /* Of perf.data as many are shown as perf tells of. */
    if (!recorder->processes.is_past &&
        period_is_of_search(recorder->profile, recorder->first_series + event->kind_index,
                            event->sample.period))
        return;
    held = recorder_begin_sample(recorder, event);
    held.sample.value = event->sample.period;
    sampled_stack_find(recorder, event, &held);
    recorder_add_sample(recorder, event->kind_index, &held);
}

/* --- Events -------------------------------------------------------------------------------------- */

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

void recorder_take(struct recorder *recorder, const struct sampler_event *event)
{
    if (event->time_ns > recorder->last_event_ns)
        recorder->last_event_ns = event->time_ns;
    if (event->kind == SAMPLER_SAMPLE && event->kind_index == recorder->waits_kind) {
        recorded_waits_begin(recorder, event);
        return;
    }
    if (event->kind == SAMPLER_SAMPLE) {
        record_sample(recorder, event);
        return;
    }
    if (event->kind == SAMPLER_SWITCH) {
        recorded_waits_switch(recorder, event);
        return;
    }
    if (event->kind >= SAMPLER_ALLOCATED && event->kind <= SAMPLER_COUNTED) {
        recorded_heap_take(recorder, event);
        return;
    }
    recorded_waits_note_thread(recorder, event);
    recorded_heap_note_process(recorder, event);
    if (event->kind == SAMPLER_THROTTLED)
        recorder->throttled_count++;
    if (event->kind == SAMPLER_LOST)
        recorder->has_lost = true;
    /* What processes do is told beside the samples of the first event. */
    if (event->kind == SAMPLER_LOST && event->kind_index == 0)
        recorder->catch_up.has_lost = true;
    if (event->kind == SAMPLER_EXIT) {
        forget_thread(recorder, event);
        if (!recorder->processes.is_past)
            taken_away_note(recorder->profile, &recorder->processes, event);
    }
    processes_apply(&recorder->processes, &recorder->modules, event);
    if (event->kind == SAMPLER_FORK)
        snapshot_note_fork(&recorder->processes, event);
    if (event->kind == SAMPLER_MAPPING)
        snapshot_share_mapping(&recorder->processes, &recorder->modules, event);
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
        recorder_take(recorder, &event);
    if (to_the_end)
        recorded_waits_end(recorder);
    catch_up_if_lost(&recorder->catch_up, &recorder->processes, &recorder->modules);
    copies_settle(&recorder->copies, &recorder->held, recorder->profile, &recorder->outer, to_the_end);
    if (to_the_end)
        recorded_heap_end(recorder, sampler);
    if (!to_the_end && copies_fit(&recorder->copies, &recorder->held, sampler))
        recorder->catch_up.has_lost = true;
}

void recorder_end(struct recorder *recorder)
{
    recorded_waits_end(recorder);
    held_samples_settle(&recorder->held, recorder->profile, &recorder->outer, true);
}

int64_t recorder_patience_us(const struct recorder *recorder)
{
    return patience_us(&recorder->patience, &recorder->outer);
}

void recorder_note_replaced(struct recorder *recorder)
{
    sampled_modules_note_replaced(&recorder->sampled, &recorder->modules, recorder->profile);
}

void recorder_keep_files(struct recorder *recorder, struct open_files *files)
{
    sampled_modules_keep_files(&recorder->sampled, &recorder->modules, recorder->profile, files);
    sampled_modules_keep_dumps(&recorder->sampled, &recorder->processes, files);
}

struct heap_silent recorder_heap_silent(const struct recorder *recorder, const struct sampler *sampler)
{
    return heap_programs_silent(&recorder->heap_programs,
                                sampler_heap_program_count(sampler) + sampler_heap_foreign_count(sampler));
}

uint64_t recorder_last_ns(const struct recorder *recorder)
{
    return recorder->last_event_ns;
}

bool recorder_has_lost(const struct recorder *recorder)
{
    return recorder->has_lost;
}

uint64_t recorder_throttled_count(const struct recorder *recorder)
{
    return recorder->throttled_count;
}
