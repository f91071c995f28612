/*
 * The addresses that somebody asks about. Of large debug information only what tells of these is kept.
 */
#ifndef BASE_PLACES_H
#define BASE_PLACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct places {
    const uint64_t *svmas; /* rising; the same one may stand there twice */
    size_t count;
};

/* Makes them rise, as the addresses of places do. */
void places_sort(uint64_t *svmas, size_t count);

/* Index of the first at `svma` or behind it; the count when there is none. O(log count). */
size_t places_from(const struct places *places, uint64_t svma);

/* Whether one of them is at `start` or behind it and before `end`. O(log count). */
bool places_are_within(const struct places *places, uint64_t start, uint64_t end);

/* Whether `svma` is one of them. O(log count). */
bool places_hold(const struct places *places, uint64_t svma);

#endif
