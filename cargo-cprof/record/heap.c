#include "record/heap.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "profile/totals.h"
#include "record/heap_untold.h"

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
    if (given->interval_bytes == 0)
        return;
    weight_add(&of->sampled_bytes, given->since_bytes);
    weight_add(&of->sampled_count, given->since_count);
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

/* --- When there was the most --------------------------------------------------------------------- */

/* By process what it had at some moment. */
struct heap_kept {
    uint64_t *bytes; /* owned */
    uint64_t time_ns;
};

static int compare_ends(const void *a, const void *b)
{
    uint64_t first = ((const struct heap_moment *)a)->time_ns;
    uint64_t second = ((const struct heap_moment *)b)->time_ns;

    return (first > second) - (first < second);
}

/* Where the processes that have ended did so, in the order of time; `count` of them. To be freed. */
static struct heap_moment *ends_of(const struct heap *heap, size_t *count)
{
    struct heap_moment *ends = memory_new(heap->processes.count + 1, sizeof(*ends));

    *count = 0;
    for (uint32_t i = 0; i < heap->processes.count; i++)
        if (heap->processes.items[i].ended_ns < UINT64_MAX)
            ends[(*count)++] = (struct heap_moment){heap->processes.items[i].ended_ns, 0, i};
    qsort(ends, *count, sizeof(*ends), compare_ends);
    return ends;
}

/* A walk through all moments, processes that end on the way. To be released with heap_walk_done. */
struct heap_walk {
    const struct heap *heap;
    struct heap_moment *ends; /* owned */
    size_t end_count;
    size_t ended;
    uint64_t *bytes; /* owned; by process */
    uint64_t sum;
};

static void heap_walk_begin(struct heap_walk *walk, const struct heap *heap)
{
    *walk =
        (struct heap_walk){.heap = heap, .bytes = memory_new(heap->processes.count + 1, sizeof(uint64_t))};
    walk->ends = ends_of(heap, &walk->end_count);
}

static void heap_walk_done(struct heap_walk *walk)
{
    free(walk->ends);
    free(walk->bytes);
}

static void go_to(struct heap_walk *walk, const struct heap_moment *moment)
{
    walk->sum = walk->sum - walk->bytes[moment->process] + moment->kept_bytes;
    walk->bytes[moment->process] = moment->kept_bytes;
}

static void go_to_moment(struct heap_walk *walk, size_t index)
{
    const struct heap_moment *moment = &walk->heap->moments.items[index];

    while (walk->ended < walk->end_count && walk->ends[walk->ended].time_ns < moment->time_ns)
        go_to(walk, &walk->ends[walk->ended++]);
    go_to(walk, moment);
}

/* How many moments there are up to the last of those with the most; 0: there is never anything. */
static size_t count_to_peak(const struct heap *heap)
{
    SCOPED(heap_walk_done) struct heap_walk walk = {0};
    uint64_t most = 1;
    size_t count = 0;

    heap_walk_begin(&walk, heap);
    for (size_t i = 0; i < heap->moments.count; i++) {
        go_to_moment(&walk, i);
        if (walk.sum < most)
            continue;
        most = walk.sum;
        count = i + 1;
    }
    return count;
}

/* What each process had when all together had the most. */
static struct heap_kept kept_at_peak(const struct heap *heap)
{
    SCOPED(heap_walk_done) struct heap_walk walk = {0};
    size_t count = count_to_peak(heap);
    struct heap_kept peak = {.time_ns = count > 0 ? heap->moments.items[count - 1].time_ns : 0};

    heap_walk_begin(&walk, heap);
    for (size_t i = 0; i < count; i++)
        go_to_moment(&walk, i);
    peak.bytes = walk.bytes;
    walk.bytes = NULL;
    return peak;
}

static struct heap_kept kept_at_end(const struct heap *heap)
{
    struct heap_kept end = {.bytes = memory_new(heap->processes.count + 1, sizeof(uint64_t)),
                            .time_ns = UINT64_MAX};

    for (size_t i = 0; i < heap->moments.count; i++)
        end.bytes[heap->moments.items[i].process] = heap->moments.items[i].kept_bytes;
    return end;
}

static bool is_kept(const struct heap *heap, const struct heap_block *block, uint64_t time_ns)
{
    uint64_t ended_ns = heap->processes.items[block->process].ended_ns;

    if (time_ns == UINT64_MAX)
        return block->freed_ns == UINT64_MAX;
    return block->sample.time_ns <= time_ns && block->freed_ns > time_ns && ended_ns > time_ns;
}

/* --- What each stands for ------------------------------------------------------------------------ */

/*
 * What samples of a process stand for together differs by chance from what there really was, which is known.
 * The difference is theirs in proportion to their variances, as far as chance may have made it (calibration:
 * Deville and Sarndal, Journal of the American Statistical Association 87, 1992).
 */
struct heap_fit {
    double all;       /* that there really was */
    double estimated; /* by the samples */
    double variance;  /* of that */
};

/*
 * Of one measure, by process. Of those with few samples many have none, which the samples of others stand
 * for: they are one, the last.
 */
struct heap_measure {
    const struct heap *heap;
    enum sampler_heap what;
    struct heap_kept kept; /* of a moment's */
    struct heap_fit *fits; /* owned */
    uint32_t *fit_of;      /* owned; by process */
};

static bool is_of_moment(const struct heap_measure *measure)
{
    return measure->what == SAMPLER_HEAP_PEAK || measure->what == SAMPLER_HEAP_END;
}

static bool is_told(const struct heap_measure *measure, const struct heap_block *block)
{
    return !is_of_moment(measure) || is_kept(measure->heap, block, measure->kept.time_ns);
}

static double each_of(const struct heap_measure *measure, const struct heap_block *block)
{
    return measure->what == SAMPLER_HEAP_COUNT ? 1 : (double)block->size_bytes;
}

static double all_of(const struct heap_measure *measure, uint32_t process)
{
    const struct heap_process *of = &measure->heap->processes.items[process];

    return is_of_moment(measure)                 ? (double)measure->kept.bytes[process]
           : measure->what == SAMPLER_HEAP_COUNT ? (double)of->sampled_count
                                                 : (double)of->sampled_bytes;
}

/* Where all allocations were told a process is as it is, with however few. */
static void choose_fits(struct heap_measure *measure)
{
    enum { FEW = 200 };
    const struct heap *heap = measure->heap;
    const uint32_t together = (uint32_t)heap->processes.count;
    SCOPED(memory_free_at) uint32_t *picked_counts = memory_new(together + 1, sizeof(*picked_counts));

    for (size_t i = 0; i < heap->blocks.count; i++)
        picked_counts[heap->blocks.items[i].process] += heap->blocks.items[i].interval_bytes > 0;
    measure->fit_of = memory_new(together + 1, sizeof(*measure->fit_of));
    for (uint32_t i = 0; i < together; i++)
        measure->fit_of[i] =
            heap->processes.items[i].sampled_count > 0 && picked_counts[i] < FEW ? together : i;
}

static void measure_begin(struct heap_measure *measure)
{
    const struct heap *heap = measure->heap;

    if (is_of_moment(measure))
        measure->kept = measure->what == SAMPLER_HEAP_PEAK ? kept_at_peak(heap) : kept_at_end(heap);
    choose_fits(measure);
    measure->fits = memory_new(heap->processes.count + 1, sizeof(*measure->fits));
    for (uint32_t i = 0; i < heap->processes.count; i++)
        measure->fits[measure->fit_of[i]].all += all_of(measure, i);
    for (size_t i = 0; i < heap->blocks.count; i++) {
        const struct heap_block *block = &heap->blocks.items[i];
        struct heap_fit *fit = &measure->fits[measure->fit_of[block->process]];
        double each = each_of(measure, block);

        /* What threads tell that they were given is in no sum where each was told. */
        if (!is_told(measure, block) || (!is_of_moment(measure) && block->interval_bytes == 0))
            continue;
        fit->estimated += each * block->count;
        fit->variance += each * each * block->count * (block->count - 1);
    }
}

static void measure_done(struct heap_measure *measure)
{
    free(measure->kept.bytes);
    free(measure->fits);
    free(measure->fit_of);
}

/* What the samples are to have more than they stand for, or less. */
static double difference_of(const struct heap_fit *fit)
{
    const double most_deviations = 4;
    double most = most_deviations * sqrt(fit->variance);

    return fmax(-most, fmin(most, fit->all - fit->estimated));
}

/* What no sample stands for, as of memory that was given before any were taken. */
static double rest_of(const struct heap_fit *fit)
{
    const double least_bytes = 64 << 10; /* what threads have not told yet may be as much */
    double rest = fit->all - fit->estimated - difference_of(fit);

    return rest >= least_bytes && rest >= fit->all / 100 ? rest : 0;
}

static double value_of(const struct heap_measure *measure, const struct heap_block *block)
{
    const struct heap_fit *fit = &measure->fits[measure->fit_of[block->process]];
    double each = each_of(measure, block);
    double count = block->count;

    if (block->count > 1 && fit->variance > 0)
        count += each * block->count * (block->count - 1) * difference_of(fit) / fit->variance;
    return each * fmax(count, 1);
}

/* Rounded so that sums of many are right: what one is too small the next has more. */
static uint64_t round_on(double value, double *rest)
{
    double whole = floor(value + *rest);

    *rest += value - whole;
    return whole > 0 ? (uint64_t)whole : 0;
}

/* Threads keep the interval that they drew by for a while, when it has grown. Each run begins anew. */
static void note_interval(struct profile_series *series, const struct heap_block *block, bool is_first)
{
    size_t count = series->intervals.count;
    uint64_t last = count > 0 ? series->intervals.items[count - 1].bytes : 0;

    if (is_first ? block->interval_bytes != last : block->interval_bytes > last)
        *vec_add(&series->intervals) = (struct heap_interval){block->sample.time_ns, block->interval_bytes};
}

/* Without calls, for nobody knows whose it is. */
static void add_rest(const struct heap_measure *measure, struct profile *profile, uint32_t series)
{
    const struct heap *heap = measure->heap;
    double rest = 0;

    if (!is_of_moment(measure) || heap->blocks.count == 0)
        return;
    for (uint32_t i = 0; i <= heap->processes.count; i++)
        rest += rest_of(&measure->fits[i]);
    if (rest >= 1)
        profile_add_sample(
            profile, series,
            (struct profile_sample){.time_ns = heap->blocks.items[heap->blocks.count - 1].sample.time_ns,
                                    .thread = heap->blocks.items[0].sample.thread,
                                    .stack = PROFILE_NONE,
                                    .value = (uint64_t)rest});
}

void heap_add_samples(const struct heap *heap, struct profile *profile, enum sampler_heap what,
                      uint32_t series_id)
{
    SCOPED(measure_done) struct heap_measure measure = {.heap = heap, .what = what};
    double rest = 0.5;

    measure_begin(&measure);
    for (size_t i = 0; i < heap->blocks.count; i++) {
        const struct heap_block *block = &heap->blocks.items[i];
        struct profile_sample sample = block->sample;

        note_interval(&profile->series.items[series_id], block, i == 0);
        if (!is_told(&measure, block))
            continue;
        sample.value = round_on(value_of(&measure, block), &rest);
        if (block->end < STACK_END_COUNT)
            profile->series.items[series_id].ended_counts[block->end]++;
        profile_add_sample(profile, series_id, sample);
    }
    add_rest(&measure, profile, series_id);
    if (what == SAMPLER_HEAP_BYTES)
        profile->series.items[series_id].happened_count += heap->all_bytes;
    if (what == SAMPLER_HEAP_COUNT)
        profile->series.items[series_id].happened_count += heap->all_count;
}
