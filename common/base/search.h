/* Where a number belongs in an array that is sorted by numbers; in O(log n). */
#ifndef BASE_SEARCH_H
#define BASE_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/*
 * How many of the items come before `value`: the index of the first whose number is not below it, or with
 * `is_past_equal` of the first above it; `count` when there is none. `items` are `count` of `item_bytes`
 * each, with a uint64_t at `offset` that never falls from one to the next.
 */
static inline size_t search_number(const void *items, size_t count, size_t item_bytes, size_t offset,
                                   uint64_t value, bool is_past_equal)
{
    size_t low = 0;
    size_t high = count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        uint64_t number = 0;

        memcpy(&number, (const char *)items + middle * item_bytes + offset, sizeof(number));
        if (number < value || (is_past_equal && number == value))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The same by a member of the items; `items` is a typed pointer, which may be NULL when there are none. */
#define SEARCH_FROM(items, count, member, value)                                                             \
    search_number(items, count, sizeof(*(items)), offsetof(__typeof__(*(items)), member), value, false)
#define SEARCH_AFTER(items, count, member, value)                                                            \
    search_number(items, count, sizeof(*(items)), offsetof(__typeof__(*(items)), member), value, true)

#endif
