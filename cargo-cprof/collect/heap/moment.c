#include "collect/heap/moment.h"

#include <stdlib.h>

#include "base/memory.h"

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

struct heap_kept heap_kept_at_peak(const struct heap *heap)
{
    SCOPED(heap_walk_done) struct heap_walk walk = {0};
    size_t count = count_to_peak(heap);
    struct heap_kept peak = {.process = PROFILE_NONE};

    if (count > 0) {
        peak.time_ns = heap->moments.items[count - 1].time_ns;
        peak.process = heap->moments.items[count - 1].process;
    }
    heap_walk_begin(&walk, heap);
    for (size_t i = 0; i < count; i++)
        go_to_moment(&walk, i);
    peak.bytes = walk.bytes;
    walk.bytes = NULL;
    return peak;
}

struct heap_kept heap_kept_at_end(const struct heap *heap)
{
    struct heap_kept end = {.bytes = memory_new(heap->processes.count + 1, sizeof(uint64_t)),
                            .time_ns = UINT64_MAX,
                            .process = PROFILE_NONE};

    for (size_t i = 0; i < heap->moments.count; i++)
        end.bytes[heap->moments.items[i].process] = heap->moments.items[i].kept_bytes;
    return end;
}

bool heap_is_kept(const struct heap *heap, const struct heap_block *block, uint64_t time_ns)
{
    uint64_t ended_ns = heap->processes.items[block->process].ended_ns;

    if (time_ns == UINT64_MAX)
        return block->freed_ns == UINT64_MAX;
    return block->sample.time_ns <= time_ns && block->freed_ns > time_ns && ended_ns > time_ns;
}
