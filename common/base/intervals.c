#include "base/intervals.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "base/memory.h"
#include "base/search.h"

/* The sweep from low to high. */
struct sweep {
    VEC(struct interval_row) rows;
    VEC(struct interval) open; /* outermost first; an ended one may be below one that goes on */
    uint64_t at;
};

static int compare_starts(const void *left, const void *right)
{
    const struct interval *a = left;
    const struct interval *b = right;

    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    if (a->length != b->length)
        return a->length > b->length ? -1 : 1;
    return 0;
}

/*
 * glibc's qsort is stable only as long as memory lasts, and takes as much again: this takes half, for
 * `scratch`.
 */
static void sort_stably(struct interval *items, struct interval *scratch, size_t count)
{
    enum { SHORT = 12 };
    size_t half = count / 2;
    size_t left = 0;
    size_t right = half;

    if (count <= SHORT) {
        for (size_t i = 1; i < count; i++) {
            struct interval moved = items[i];
            size_t place = i;

            for (; place > 0 && compare_starts(&items[place - 1], &moved) > 0; place--)
                items[place] = items[place - 1];
            items[place] = moved;
        }
        return;
    }
    sort_stably(items, scratch, half);
    sort_stably(items + half, scratch, count - half);
    if (compare_starts(&items[half - 1], &items[half]) <= 0)
        return;
    memcpy(scratch, items, half * sizeof(*items));
    for (size_t i = 0; left < half; i++) {
        bool take_left = right >= count || compare_starts(&scratch[left], &items[right]) <= 0;

        items[i] = take_left ? scratch[left++] : items[right++];
    }
}

/* From where the sweep stands `id` counts; a row that nothing came of is overwritten. */
static void begin_row(struct sweep *sweep, uint32_t id)
{
    struct interval_row *last = sweep->rows.count > 0 ? &sweep->rows.items[sweep->rows.count - 1] : NULL;

    if (last && last->start == sweep->at) {
        last->id = id;
        if (sweep->rows.count > 1 && last[-1].id == id)
            sweep->rows.count--;
    } else if (!last || last->id != id) {
        *vec_add(&sweep->rows) = (struct interval_row){sweep->at, id};
    }
}

/* Moves on to `place`, leaving the intervals that end on the way. */
static void advance(struct sweep *sweep, uint64_t place)
{
    while (sweep->open.count > 0) {
        const struct interval *inner = &sweep->open.items[sweep->open.count - 1];
        uint64_t end = inner->start + inner->length;

        if (end > sweep->at) {
            begin_row(sweep, inner->id);
            if (end > place)
                break;
            sweep->at = end;
        }
        sweep->open.count--;
    }
    if (sweep->open.count == 0)
        begin_row(sweep, INTERVAL_NONE);
    sweep->at = place;
}

/* The scratch memory is given back before the rows take theirs. */
static void sort_intervals(struct interval *intervals, size_t count)
{
    SCOPED(memory_free_at) struct interval *scratch = memory_new(count / 2, sizeof(*scratch));

    sort_stably(intervals, scratch, count);
}

struct interval_rows intervals_flatten(struct interval *intervals, size_t count)
{
    struct sweep sweep = {0};

    sort_intervals(intervals, count);
    for (size_t i = 0; i < count; i++) {
        if (intervals[i].length == 0 || intervals[i].start > UINT64_MAX - intervals[i].length)
            continue;
        advance(&sweep, intervals[i].start);
        *vec_add(&sweep.open) = intervals[i];
    }
    advance(&sweep, UINT64_MAX);
    vec_done(&sweep.open);
    vec_trim(&sweep.rows);
    return (struct interval_rows){sweep.rows.items, sweep.rows.count};
}

void intervals_done(struct interval_rows *rows)
{
    free(rows->items);
    *rows = (struct interval_rows){0};
}

size_t intervals_after(const struct interval_rows *rows, uint64_t place)
{
    return SEARCH_AFTER(rows->items, rows->count, start, place);
}

uint32_t intervals_find(const struct interval_rows *rows, uint64_t place)
{
    size_t after = intervals_after(rows, place);

    return after == 0 ? INTERVAL_NONE : rows->items[after - 1].id;
}
