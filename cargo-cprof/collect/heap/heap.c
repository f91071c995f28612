#include "collect/heap/heap.h"

#include <math.h>
#include <stdlib.h>

#include "collect/heap/untold.h"
#include "profile/totals.h"

void heap_done(struct heap *heap)
{
    vec_done(&heap->blocks);
    vec_done(&heap->processes);
    vec_done(&heap->moments);
    vec_done(&heap->slots);
    vec_done(&heap->process_of_pid);
    vec_done(&heap->block_of);
    pair_index_done(&heap->pids);
    pair_index_done(&heap->pointers);
    *heap = (struct heap){0};
}

/* --- What is given and taken back ---------------------------------------------------------------------- */

static uint32_t process_of(struct heap *heap, uint32_t pid)
{
    uint32_t place = pair_index_add(&heap->pids, 0, pid);

    if (place == heap->process_of_pid.count)
        *vec_add(&heap->process_of_pid) = PROFILE_NONE;
    /* Its first thread alone had ended. */
    if (heap->process_of_pid.items[place] != PROFILE_NONE)
        heap->processes.items[heap->process_of_pid.items[place]].ended_ns = UINT64_MAX;
    if (heap->process_of_pid.items[place] == PROFILE_NONE) {
        heap->process_of_pid.items[place] = (uint32_t)heap->processes.count;
        *vec_add(&heap->processes) = (struct heap_process){.ended_ns = UINT64_MAX};
    }
    return heap->process_of_pid.items[place];
}

/*
 * What one that was told stands for: as many as there are for each that is told (Horvitz and Thompson,
 * Journal of the American Statistical Association 47, 1952).
 */
static double count_for_each(const struct sample_heap *given)
{
    double intervals = 0;

    if (given->interval_bytes == 0)
        return 1;
    intervals = (double)given->size_bytes / (double)given->interval_bytes;
    return 1 / -expm1(-intervals);
}

static void count_since(struct heap *heap, uint32_t process, const struct sample_heap *given)
{
    struct heap_process *of = &heap->processes.items[process];

    heap_untold_note(heap, process, given);
    weight_add(&heap->all_bytes, given->since_bytes);
    weight_add(&heap->all_count, given->since_count);
    of->sampled_bytes += (int64_t)given->since_bytes;
    of->sampled_count += (int64_t)given->since_count;
    /* One that was told whatever its chance was stands for itself, and for no other. */
    if (given->size_bytes == 0 || given->interval_bytes > 0)
        return;
    of->sampled_bytes -= (int64_t)given->size_bytes;
    of->sampled_count--;
}

static void note_kept(struct heap *heap, uint32_t process, const struct sampler_event *event)
{
    *vec_add(&heap->moments) = (struct heap_moment){
        .time_ns = event->time_ns,
        .kept_bytes = event->heap.kept_bytes > 0 ? (uint64_t)event->heap.kept_bytes : 0,
        .process = process,
    };
}

/* Unless it is, or there is none. */
static void free_block(struct heap *heap, uint32_t block, uint64_t time_ns)
{
    if (block != PROFILE_NONE && heap->blocks.items[block].freed_ns == UINT64_MAX)
        heap->blocks.items[block].freed_ns = time_ns;
}

uint32_t heap_give(struct heap *heap, const struct sampler_event *event, uint32_t thread)
{
    const struct sample_heap *given = &event->heap;
    uint32_t process = process_of(heap, event->pid);
    uint32_t pointer = pair_index_add(&heap->pointers, process, given->pointer);

    if (pointer == heap->block_of.count)
        *vec_add(&heap->block_of) = PROFILE_NONE;
    /* What was there has been taken back, then, though nobody could tell. */
    free_block(heap, heap->block_of.items[pointer], event->time_ns);
    heap->block_of.items[pointer] = (uint32_t)heap->blocks.count;
    *vec_add(&heap->blocks) = (struct heap_block){
        .sample = {.time_ns = event->time_ns, .thread = thread, .stack = PROFILE_NONE},
        .end = STACK_NO_USER,
        .interval_bytes = given->interval_bytes,
        .count = count_for_each(given),
        .size_bytes = given->size_bytes,
        .freed_ns = UINT64_MAX,
        .process = process,
    };
    count_since(heap, process, given);
    note_kept(heap, process, event);
    return (uint32_t)heap->blocks.count;
}

void heap_set_stack(struct heap *heap, uint32_t block, uint32_t stack, enum stack_end end)
{
    heap->blocks.items[block - 1].sample.stack = stack;
    heap->blocks.items[block - 1].end = end;
}

void heap_count(struct heap *heap, const struct sampler_event *event)
{
    uint32_t process = process_of(heap, event->pid);

    count_since(heap, process, &event->heap);
    note_kept(heap, process, event);
}

void heap_know(struct heap *heap, const struct sampler_event *event)
{
    const struct sample_heap nothing = {.slot = event->heap.slot};

    heap_untold_note(heap, process_of(heap, event->pid), &nothing);
}

/* The last one that was given where the event tells; PROFILE_NONE: none that we know of. */
static uint32_t block_at(struct heap *heap, uint32_t process, const struct sampler_event *event)
{
    uint32_t pointer = pair_index_find(&heap->pointers, process, event->heap.pointer);

    return pointer == UINT32_MAX ? PROFILE_NONE : heap->block_of.items[pointer];
}

void heap_take(struct heap *heap, const struct sampler_event *event)
{
    uint32_t process = process_of(heap, event->pid);

    note_kept(heap, process, event);
    free_block(heap, block_at(heap, process, event), event->time_ns);
}

void heap_keep(struct heap *heap, const struct sampler_event *event)
{
    uint32_t process = process_of(heap, event->pid);
    uint32_t block = block_at(heap, process, event);

    note_kept(heap, process, event);
    if (block != PROFILE_NONE)
        heap->blocks.items[block].freed_ns = UINT64_MAX;
}

void heap_end_process(struct heap *heap, uint32_t pid, uint64_t time_ns)
{
    uint32_t place = pair_index_find(&heap->pids, 0, pid);

    if (place == UINT32_MAX || heap->process_of_pid.items[place] == PROFILE_NONE)
        return;
    heap->processes.items[heap->process_of_pid.items[place]].ended_ns = time_ns;
}

void heap_begin_process(struct heap *heap, uint32_t pid)
{
    uint32_t place = pair_index_find(&heap->pids, 0, pid);

    if (place != UINT32_MAX)
        heap->process_of_pid.items[place] = PROFILE_NONE;
}
