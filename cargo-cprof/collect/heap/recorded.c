#include "collect/heap/recorded.h"

#include "collect/heap/samples.h"
#include "collect/heap/untold.h"
#include "collect/sampled_stack.h"

static void give_memory(struct recorder *recorder, const struct sampler_event *event)
{
    struct held_sample held = recorder_begin_sample(recorder, event);

    held.block = heap_give(&recorder->heap, event, held.sample.thread);
    sampled_stack_find(recorder, event, &held);
    held_samples_add(&recorder->held, recorder->profile, &recorder->outer, &held);
}

void recorded_heap_take(struct recorder *recorder, const struct sampler_event *event)
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

void recorded_heap_note_process(struct recorder *recorder, const struct sampler_event *event)
{
    note_memory_gone(recorder, event);
    note_program(recorder, event);
}

void recorded_heap_end(struct recorder *recorder, const struct sampler *sampler)
{
    const struct heap_slots slots = sampler_heap_slots(sampler);

    heap_untold_add(&recorder->heap, &slots);
    for (uint32_t i = 0; i < recorder->heap_kinds.count; i++)
        if (recorder->heap_kinds.items[i])
            heap_add_samples(&recorder->heap, recorder->profile, recorder->heap_kinds.items[i],
                             recorder->first_series + i);
    heap_done(&recorder->heap);
}
