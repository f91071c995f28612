#include "facts/series_unit.h"

#include "base/units.h"
#include "profile/totals.h"

static struct slice unit_of(const struct profile *profile, uint32_t series)
{
    return profile_text(profile, profile->series.items[series].unit);
}

bool series_counts_things(const struct profile *profile, uint32_t series)
{
    return weight_of_series(profile, series) == WEIGHT_VALUE &&
           !slice_is(unit_of(profile, series), "samples");
}

struct slice series_units(const struct profile *profile, uint32_t series)
{
    return series_counts_things(profile, series) ? unit_of(profile, series) : SLICE("samples");
}

struct slice series_unit(const struct profile *profile, uint32_t series)
{
    struct slice unit = series_units(profile, series);

    if (slice_ends_with(unit, SLICE("s")))
        unit.length--;
    /* "cache-misses", "L1-dcache-prefetches" */
    if (slice_ends_with(unit, SLICE("sse")) || slice_ends_with(unit, SLICE("che")))
        unit.length--;
    return unit;
}

void series_unit_add_count(struct text *text, const struct profile *profile, uint32_t series, uint64_t count)
{
    units_add_count(text, count);
    text_add_byte(text, ' ');
    text_add_terminal(text, count == 1 ? series_unit(profile, series) : series_units(profile, series));
}
