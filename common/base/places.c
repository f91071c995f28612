#include "base/places.h"

#include "base/search.h"

size_t places_from(const struct places *places, uint64_t svma)
{
    return search_number(places->svmas, places->count, sizeof(*places->svmas), 0, svma, false);
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
