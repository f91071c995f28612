/* Where a number belongs in an array that is sorted by numbers; in O(log n). */
#ifndef BASE_SEARCH_H
#define BASE_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Where in an item the number is, a uint64_t or a uint32_t, that never falls from one item to the next. */
struct search_field {
    size_t item_bytes;
    size_t offset;
    bool is_wide; /* a uint64_t */
};

static inline uint64_t search_read(const char *item, struct search_field field)
{
    uint64_t wide = 0;
    uint32_t narrow = 0;

    if (field.is_wide)
        memcpy(&wide, item + field.offset, sizeof(wide));
    else
        memcpy(&narrow, item + field.offset, sizeof(narrow));
    return wide + narrow;
}

/*
 * How many of the `count` items come before `value`: the index of the first whose number is not below it, or
 * with `is_past_equal` of the first above it; `count` when there is none.
 */
static inline size_t search_number(const void *items, size_t count, struct search_field field, uint64_t value,
                                   bool is_past_equal)
{
    size_t low = 0;
    size_t high = count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        uint64_t number = search_read((const char *)items + middle * field.item_bytes, field);

        if (number < value || (is_past_equal && number == value))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

#define SEARCH_IS_WIDE(number) _Generic((number), uint64_t : true, uint32_t : false)

/* Of an array of plain numbers. */
#define SEARCH_PLAIN(numbers) ((struct search_field){sizeof(*(numbers)), 0, SEARCH_IS_WIDE(*(numbers))})

/* The same by a member of the items; `items` is a typed pointer, which may be NULL when there are none. */
#define SEARCH_FIELD(items, member)                                                                          \
    ((struct search_field){sizeof(*(items)), offsetof(__typeof__(*(items)), member),                         \
                           SEARCH_IS_WIDE((items)->member)})
#define SEARCH_FROM(items, count, member, value)                                                             \
    search_number(items, count, SEARCH_FIELD(items, member), value, false)
#define SEARCH_AFTER(items, count, member, value)                                                            \
    search_number(items, count, SEARCH_FIELD(items, member), value, true)

#endif
