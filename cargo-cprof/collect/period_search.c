#include "collect/period_search.h"

bool period_is_of_search(const struct profile *profile, uint32_t series, uint64_t period)
{
    enum { FEWEST_A_SECOND = 1000000 }; /* no processor has so few */
    const struct profile_series *of = &profile->series.items[series];

    return of->frequency_hz > 0 && period < FEWEST_A_SECOND / of->frequency_hz &&
           slice_is(profile_text(profile, of->unit), "cycles");
}
