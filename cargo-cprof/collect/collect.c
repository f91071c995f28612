#include "collect/collect.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/memory.h"
#include "collect/heap_samples.h"
#include "collect/heap_untold.h"
#include "collect/period_search.h"
#include "collect/recorder.h"
#include "collect/sampled_stack.h"
#include "collect/taken_away.h"
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

/* All but what it stands for. */
static struct held_sample sample_of(struct recorder *recorder, const struct sampler_event *event)
{
    return (struct held_sample){
        .sample = {.time_ns = event->time_ns,
                   .thread =
                       recorded_thread(&recorder->threads, recorder->profile, &recorder->processes, event),
                   .stack = PROFILE_NONE},
        .end = STACK_NO_USER,
    };
}

static void add_sample(struct recorder *recorder, uint32_t kind, struct held_sample *held)
{
    held->series = recorder->first_series + kind;
    /* What was still being written when the rings were looked at comes a little late. */
    if (held->sample.time_ns < recorder->last_time_ns)
        held->sample.time_ns = recorder->last_time_ns;
    recorder->last_time_ns = held->sample.time_ns;
    held_samples_add(&recorder->held, recorder->profile, &recorder->outer, held);
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
    held = sample_of(recorder, event);
    held.sample.value = event->sample.period;
    sampled_stack_find(recorder, event, &held);
    add_sample(recorder, event->kind_index, &held);
}

/* --- Waits --------------------------------------------------------------------------------------- */

/* An idle processor is no thread, and threads outside of our PID namespace all have one number. */
static bool is_thread(const struct sampler_event *event)
{
    return event->tid != 0 && event->tid != PROCESSES_NO_TID;
}

/* A thread is about to leave its processor. */
static void begin_wait(struct recorder *recorder, const struct sampler_event *event)
{
    struct held_sample held = {0};
    uint64_t read_ns = 0;

    if (!is_thread(event))
        return;
    held = sample_of(recorder, event);
    sampled_stack_find(recorder, event, &held);
    if (held.is_candidate && held.candidate.is_of_round)
        read_ns = clock_now_ns();
    waits_sample(&recorder->waits, event->tid, event->time_ns, read_ns, &held);
}

static struct waits_window window_of(const struct recorder *recorder)
{
    return (struct waits_window){recorder->from_ns, recorder->until_ns};
}

static void leave(struct recorder *recorder, const struct sampler_event *event)
{
    if (!waits_has_sample(&recorder->waits, event->tid)) {
        struct held_sample held = sample_of(recorder, event);

        held.end = STACK_LOST;
        waits_sample(&recorder->waits, event->tid, event->time_ns, 0, &held);
    }
    waits_leave(&recorder->waits, event->tid, event->time_ns, event->switched.is_ready);
}

static void record_switch(struct recorder *recorder, const struct sampler_event *event)
{
    struct held_sample held = {0};

    if (!is_thread(event) || recorder->waits_kind == UINT32_MAX)
        return;
    if (event->switched.is_out)
        leave(recorder, event);
    else if (waits_return(&recorder->waits, event->tid, event->time_ns, window_of(recorder), &held))
        add_sample(recorder, recorder->waits_kind, &held);
}

/* A number is another thread's after a fork, and when a program is started by another than the first thread.
 */
static void note_waiting_thread(struct recorder *recorder, const struct sampler_event *event)
{
    if (recorder->waits_kind == UINT32_MAX)
        return;
    if (event->kind == SAMPLER_FORK || (event->kind == SAMPLER_NAME && event->name.is_exec))
        waits_begin(&recorder->waits, event->tid);
    else if (event->kind == SAMPLER_EXIT)
        waits_end(&recorder->waits, event->tid);
    else if (event->kind == SAMPLER_LOST_SWITCHES)
        waits_forget(&recorder->waits, event->lost_count);
}

void recorder_add_waits(struct recorder *recorder)
{
    uint64_t now_ns = clock_now_ns();

    for (size_t i = 0; recorder->waits_kind != UINT32_MAX && i < recorder->processes.threads.count; i++) {
        struct sampler_event event = {.pid = recorder->processes.threads.items[i].pid,
                                      .tid = recorder->processes.threads.items[i].tid,
                                      .time_ns = now_ns};
        struct held_sample held = {0};
        uint32_t stack = PROFILE_NONE;

        if (!is_thread(&event) || waits_knows(&recorder->waits, event.tid) ||
            !earlier_waits_find(&recorder->earlier_waits, recorder->profile, event.pid, event.tid, &stack))
            continue;
        held = sample_of(recorder, &event);
        held.sample.stack = stack;
        held.end = STACK_END_COUNT;
        waits_sample(&recorder->waits, event.tid, now_ns, 0, &held);
        waits_leave(&recorder->waits, event.tid, now_ns, false);
    }
}

/* What waits to the end. */
static void end_waits(struct recorder *recorder)
{
    struct held_sample held = {0};
    uint64_t end_ns = recorder->until_ns < UINT64_MAX ? recorder->until_ns : recorder->last_event_ns;

    if (recorder->waits_kind == UINT32_MAX)
        return;
    while (waits_take(&recorder->waits, end_ns, window_of(recorder), &held))
        add_sample(recorder, recorder->waits_kind, &held);
    recorder->profile->series.items[recorder->first_series + recorder->waits_kind].lost_count +=
        recorder->waits.missed_count;
    recorder->profile->ready_ns += recorder->waits.ready_ns;
    waits_done(&recorder->waits);
    recorder->waits = (struct waits){0};
}

/* --- The heap ------------------------------------------------------------------------------------- */

static void give_memory(struct recorder *recorder, const struct sampler_event *event)
{
    struct held_sample held = sample_of(recorder, event);

    held.block = heap_give(&recorder->heap, event, held.sample.thread);
    sampled_stack_find(recorder, event, &held);
    held_samples_add(&recorder->held, recorder->profile, &recorder->outer, &held);
}

static void record_memory(struct recorder *recorder, const struct sampler_event *event)
{
    heap_programs_note_told(&recorder->heap_programs, event->pid);
    if (event->time_ns >= recorder->until_ns)
        return;
    if (event->time_ns < recorder->from_ns)
        heap_know(&recorder->heap, event);
    else if (event->kind == SAMPLER_ALLOCATED)
        give_memory(recorder, event);
    else if (event->kind == SAMPLER_COUNTED)
        heap_count(&recorder->heap, event);
    else if (event->kind == SAMPLER_KEPT)
        heap_keep(&recorder->heap, event);
    else
        heap_take(&recorder->heap, event);
}

static void note_memory_gone(struct recorder *recorder, const struct sampler_event *event)
{
    bool is_exec = event->kind == SAMPLER_NAME && event->name.is_exec;
    bool is_new = event->kind == SAMPLER_FORK && event->pid != event->fork.parent_pid;

    if (event->time_ns >= recorder->until_ns)
        return;
    if (is_exec || (event->kind == SAMPLER_EXIT && event->pid == event->tid))
        heap_end_process(&recorder->heap, event->pid, event->time_ns);
    if (is_exec || is_new)
        heap_begin_process(&recorder->heap, event->pid);
}

static bool has_memory(const struct recorder *recorder)
{
    for (size_t i = 0; i < recorder->heap_kinds.count; i++)
        if (recorder->heap_kinds.items[i])
            return true;
    return false;
}

/* Samples, which are by far the most, are neither. */
static void note_program(struct recorder *recorder, const struct sampler_event *event)
{
    bool is_exec = event->kind == SAMPLER_NAME && event->name.is_exec;

    if ((!is_exec && event->kind != SAMPLER_MAPPING) || !has_memory(recorder))
        return;
    if (is_exec)
        heap_programs_begin(&recorder->heap_programs, event->pid, event->name.name);
    else if (heap_library_is(event->mapping.path))
        heap_programs_note_library(&recorder->heap_programs, event->pid);
}

struct heap_silent recorder_heap_silent(const struct recorder *recorder, const struct sampler *sampler)
{
    return heap_programs_silent(&recorder->heap_programs,
                                sampler_heap_program_count(sampler) + sampler_heap_foreign_count(sampler));
}

/* All its stacks are known by now. */
static void end_memory(struct recorder *recorder, const struct sampler *sampler)
{
    const struct heap_slots slots = sampler_heap_slots(sampler);

    heap_untold_add(&recorder->heap, &slots);
    for (uint32_t i = 0; i < recorder->heap_kinds.count; i++)
        if (recorder->heap_kinds.items[i])
            heap_add_samples(&recorder->heap, recorder->profile, recorder->heap_kinds.items[i],
                             recorder->first_series + i);
    heap_done(&recorder->heap);
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
        begin_wait(recorder, event);
        return;
    }
    if (event->kind == SAMPLER_SAMPLE) {
        record_sample(recorder, event);
        return;
    }
    if (event->kind == SAMPLER_SWITCH) {
        record_switch(recorder, event);
        return;
    }
    if (event->kind >= SAMPLER_ALLOCATED && event->kind <= SAMPLER_COUNTED) {
        record_memory(recorder, event);
        return;
    }
    note_waiting_thread(recorder, event);
    note_memory_gone(recorder, event);
    note_program(recorder, event);
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
        end_waits(recorder);
    catch_up_if_lost(&recorder->catch_up, &recorder->processes, &recorder->modules);
    copies_settle(&recorder->copies, &recorder->held, recorder->profile, &recorder->outer, to_the_end);
    if (to_the_end)
        end_memory(recorder, sampler);
    if (!to_the_end && copies_fit(&recorder->copies, &recorder->held, sampler))
        recorder->catch_up.has_lost = true;
}

void recorder_end(struct recorder *recorder)
{
    end_waits(recorder);
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
