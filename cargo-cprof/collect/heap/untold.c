#include "collect/heap/untold.h"

#include <stdlib.h>

#include "base/memory.h"

void heap_untold_note(struct heap *heap, uint32_t process, const struct sample_heap *given)
{
    struct heap_told *told = NULL;

    if (given->slot == 0)
        return;
    while (heap->slots.count < given->slot)
        *vec_add(&heap->slots) = (struct heap_told){.process = PROFILE_NONE};
    told = &heap->slots.items[given->slot - 1];
    told->process = process;
    told->bytes += given->since_bytes;
    told->count += given->since_count;
}

/* --- What was given --------------------------------------------------------------------------------- */

/* The sums that are added may be below nothing: what is told first may be of before the window. */
static void add_given(struct heap *heap, const struct heap_told *told, const struct heap_counts *before,
                      const struct heap_counts *now)
{
    uint64_t bytes = now->given_bytes - before->given_bytes - told->bytes;
    uint64_t count = now->given_count - before->given_count - told->count;

    heap->all_bytes += bytes;
    heap->all_count += count;
    if (told->process == PROFILE_NONE)
        return;
    heap->processes.items[told->process].sampled_bytes += (int64_t)bytes;
    heap->processes.items[told->process].sampled_count += (int64_t)count;
}

/* --- What is there at the end ------------------------------------------------------------------------ */

/* Of a process. */
struct heap_rest {
    uint64_t kept_bytes; /* signed */
    bool is_known;
};

static int compare_moments(const void *a, const void *b)
{
    const struct heap_moment *first = a;
    const struct heap_moment *second = b;

    if (first->time_ns != second->time_ns)
        return first->time_ns > second->time_ns ? 1 : -1;
    return (first->process > second->process) - (first->process < second->process);
}

/* Just before a process has nothing any more. */
static uint64_t end_of(const struct heap *heap, uint32_t process)
{
    uint64_t ended_ns = heap->processes.items[process].ended_ns;
    uint64_t last_ns = heap->moments.count > 0 ? heap->moments.items[heap->moments.count - 1].time_ns : 0;

    return ended_ns == UINT64_MAX ? last_ns : ended_ns - (ended_ns > 0);
}

/* Those of all processes that are known, in the order of time; `count` of them. To be freed. */
static struct heap_moment *last_moments(const struct heap *heap, const struct heap_rest *rests, size_t *count)
{
    struct heap_moment *moments = memory_new(heap->processes.count + 1, sizeof(*moments));

    *count = 0;
    for (uint32_t i = 0; i < heap->processes.count; i++)
        if (rests[i].is_known)
            moments[(*count)++] = (struct heap_moment){
                .time_ns = end_of(heap, i),
                .kept_bytes = rests[i].kept_bytes <= INT64_MAX ? rests[i].kept_bytes : 0,
                .process = i,
            };
    qsort(moments, *count, sizeof(*moments), compare_moments);
    return moments;
}

/* Where they belong: behind all of the same time. */
static void add_moments(struct heap *heap, const struct heap_moment *added, size_t count)
{
    size_t from = heap->moments.count;

    for (size_t i = 0; i < count; i++)
        *vec_add(&heap->moments) = added[i];
    for (size_t to = heap->moments.count; count > 0; to--) {
        bool is_told = from > 0 && heap->moments.items[from - 1].time_ns > added[count - 1].time_ns;

        heap->moments.items[to - 1] = is_told ? heap->moments.items[--from] : added[--count];
    }
}

static void add_last_moments(struct heap *heap, const struct heap_rest *rests)
{
    size_t count = 0;
    struct heap_moment *moments = last_moments(heap, rests, &count);

    add_moments(heap, moments, count);
    free(moments);
}

void heap_untold_add(struct heap *heap, const struct heap_slots *slots)
{
    static const struct heap_counts nothing = {0};
    static const struct heap_told untold = {.process = PROFILE_NONE};
    struct heap_rest *rests = memory_new(heap->processes.count + 1, sizeof(*rests));

    for (size_t i = 0; i < slots->count; i++) {
        const struct heap_told *told = i < heap->slots.count ? &heap->slots.items[i] : &untold;

        add_given(heap, told, i < slots->start_count ? &slots->at_start[i] : &nothing, &slots->at_end[i]);
        if (told->process == PROFILE_NONE)
            continue;
        rests[told->process].kept_bytes += slots->at_end[i].kept_bytes;
        rests[told->process].is_known = true;
    }
    if (!slots->lacks_some)
        add_last_moments(heap, rests);
    free(rests);
}
