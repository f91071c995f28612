#include "base/places.h"

#include <stdlib.h>

#include "base/search.h"

static int compare_svmas(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left;
    uint64_t b = *(const uint64_t *)right;

    return a < b ? -1 : a > b;
}

void places_sort(uint64_t *svmas, size_t count)
{
    if (count > 1)
        qsort(svmas, count, sizeof(*svmas), compare_svmas);
}

size_t places_from(const struct places *places, uint64_t svma)
{
    return search_number(places->svmas, places->count, SEARCH_PLAIN(places->svmas), svma, false);
}

bool places_are_within(const struct places *places, uint64_t start, uint64_t end)
{
    size_t first = places_from(places, start);

    return first < places->count && places->svmas[first] < end;
}

bool places_hold(const struct places *places, uint64_t svma)
{
    size_t first = places_from(places, svma);

    return first < places->count && places->svmas[first] == svma;
}
