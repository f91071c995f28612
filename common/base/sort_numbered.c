#include "base/sort_numbered.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "base/memory.h"

enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS };

static uint64_t number_of(const char *item)
{
    uint64_t number = 0;

    memcpy(&number, item, sizeof(number));
    return number;
}

/* The bits that are not the same in all. */
static uint64_t differing_bits(const char *items, size_t count)
{
    uint64_t bits = 0;

    for (size_t i = 1; i < count; i++)
        bits |= number_of(items) ^ number_of(items + i * NUMBERED_BYTES);
    return bits;
}

/* Puts the items by the digit that begins with this bit, stable. */
static void put_by_digit(const char *items, size_t count, unsigned shift, char *out)
{
    size_t places[DIGITS] = {0};
    size_t before = 0;

    for (size_t i = 0; i < count; i++)
        places[number_of(items + i * NUMBERED_BYTES) >> shift & (DIGITS - 1)]++;
    for (size_t digit = 0; digit < DIGITS; digit++) {
        size_t here = places[digit];

        places[digit] = before;
        before += here;
    }
    for (size_t i = 0; i < count; i++) {
        const char *item = items + i * NUMBERED_BYTES;
        size_t place = places[number_of(item) >> shift & (DIGITS - 1)]++;

        memcpy(out + place * NUMBERED_BYTES, item, NUMBERED_BYTES);
    }
}

/* Knuth, The Art of Computer Programming, volume 3, 5.2.5: by the last digit first. */
void sort_numbered(void *items, size_t count)
{
    uint64_t bits = differing_bits(items, count);
    SCOPED(memory_free_at) char *other = NULL;
    char *from = items;

    if (bits == 0)
        return;
    other = memory_new_unset(count * NUMBERED_BYTES);
    for (unsigned shift = 0; shift < 64 && bits >> shift != 0; shift += DIGIT_BITS) {
        char *to = from == items ? other : items;

        if ((bits >> shift & (DIGITS - 1)) == 0)
            continue;
        put_by_digit(from, count, shift, to);
        from = to;
    }
    if (from == other)
        memcpy(items, other, count * NUMBERED_BYTES);
}
