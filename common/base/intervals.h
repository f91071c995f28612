/*
 * Nested intervals made flat: at each place the interval that starts last counts, as the
 * innermost call of several inlined into each other does.
 */
#ifndef BASE_INTERVALS_H
#define BASE_INTERVALS_H

#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

#define INTERVAL_NONE UINT32_MAX

struct interval {
    uint64_t start;
    uint32_t length; /* places; intervals of length 0, or that go past 2^64, are left out */
    uint32_t id;     /* anything but INTERVAL_NONE */
};

/* Of so many places, cut to what a length can be. */
static inline struct interval interval_of(uint64_t start, uint64_t length, uint32_t id)
{
    return (struct interval){start, length < UINT32_MAX ? (uint32_t)length : UINT32_MAX, id};
}

/* From `start` on, up to the next row's start, `id` counts. Packed, as there are very many: 12 bytes, not 16.
 */
struct __attribute__((packed, aligned(4))) interval_row {
    uint64_t start;
    uint32_t id; /* INTERVAL_NONE for a hole */
};

struct interval_rows {
    struct interval_row *items; /* owned; starts strictly rising; the last row is a hole */
    size_t count;
};

/*
 * Flattens `intervals`, which are reordered. Of those with the same start the longer is the outer one, of
 * equal ones the earlier in the array. O(n log n); at most 2n + 1 rows. To be released with intervals_done.
 */
struct interval_rows intervals_flatten(struct interval *intervals, size_t count);

void intervals_done(struct interval_rows *rows);

/* The index of the first row that starts past `place`; `count` when none does. O(log n). */
size_t intervals_after(const struct interval_rows *rows, uint64_t place);

/* The id at `place`, or INTERVAL_NONE. O(log n). */
uint32_t intervals_find(const struct interval_rows *rows, uint64_t place);

#endif
