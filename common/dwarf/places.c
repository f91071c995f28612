#include "dwarf/places.h"

/* Index of the first at or behind `svma`, or the count. */
static size_t first_from(const struct places *places, uint64_t svma)
{
    size_t low = 0;
    size_t high = places->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (places->svmas[middle] < svma)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool places_are_within(const struct places *places, uint64_t start, uint64_t end)
{
    size_t first = first_from(places, start);

    return first < places->count && places->svmas[first] < end;
}

bool places_hold(const struct places *places, uint64_t svma)
{
    size_t first = first_from(places, svma);

    return first < places->count && places->svmas[first] == svma;
}
