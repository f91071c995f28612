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

bool series_is_of_waits(const struct profile *profile, uint32_t series)
{
    return slice_is(unit_of(profile, series), "us");
}

bool series_of_waits_exist(const struct profile *profile)
{
    for (uint32_t i = 0; i < profile->series.count; i++)
        if (series_is_of_waits(profile, i))
            return true;
    return false;
}

bool series_is_folded(const struct profile *profile, uint32_t series)
{
    return slice_is(profile_text(profile, profile->series.items[series].event), SERIES_FOLDED);
}

bool series_is_of_folded_waits(const struct profile *profile, uint32_t series)
{
    return series_is_of_waits(profile, series) && series_is_folded(profile, series);
}

/* "sched:sched_switch", "mem:0x404028/8:w"; not "cycles:u", which has modifiers behind the colon. */
static bool is_of_place(struct slice event)
{
    enum { MODIFIERS_MOST = 5 };
    size_t colon = slice_find_byte(event, ':');

    return slice_starts_with(event, SLICE("mem:")) || event.length > colon + 1 + MODIFIERS_MOST;
}

bool series_lags(const struct profile *profile, uint32_t series)
{
    struct slice event = profile_text(profile, profile->series.items[series].event);
    struct slice name = slice_range(event, 0, slice_find_byte(event, ':'));

    return !series_is_of_heap(profile, series) && !series_is_of_waits(profile, series) &&
           !slice_ends_with(name, SLICE("faults")) && !slice_ends_with(name, SLICE("switches")) &&
           !is_of_place(event);
}

uint64_t series_waited_ns(uint64_t us)
{
    enum { NS_PER_US = 1000 };

    return us < UINT64_MAX / NS_PER_US ? us * NS_PER_US : UINT64_MAX;
}

struct slice series_units(const struct profile *profile, uint32_t series)
{
    return series_counts_things(profile, series) ? unit_of(profile, series) : SLICE("samples");
}

struct slice series_unit(const struct profile *profile, uint32_t series)
{
    struct slice unit = series_units(profile, series);

    if (series_is_of_waits(profile, series))
        return unit;
    if (slice_ends_with(unit, SLICE("s")))
        unit.length--;
    /* "cache-misses", "L1-dcache-prefetches" */
    if (slice_ends_with(unit, SLICE("sse")) || slice_ends_with(unit, SLICE("che")))
        unit.length--;
    return unit;
}

bool series_unit_tells_event(const struct profile *profile, uint32_t series)
{
    struct slice event = profile_text(profile, profile->series.items[series].event);
    struct slice units = series_units(profile, series);

    return slice_starts_with(event, units) || series_is_of_waits(profile, series) ||
           (slice_find_byte(event, ':') == event.length && !slice_is(units, "events") &&
            !slice_is(units, "bytes") && !slice_is(units, "nanoseconds"));
}

void series_unit_add_count(struct text *text, const struct profile *profile, uint32_t series, uint64_t count)
{
    if (series_is_of_waits(profile, series)) {
        units_add_time(text, series_waited_ns(count));
        text_add_string(text, " of waiting");
        return;
    }
    if (slice_is(unit_of(profile, series), "bytes")) {
        units_add_bytes(text, count);
        return;
    }
    if (slice_is(unit_of(profile, series), "nanoseconds")) {
        units_add_time(text, count);
        return;
    }
    units_add_count(text, count);
    text_add_byte(text, ' ');
    text_add_terminal(text, count == 1 ? series_unit(profile, series) : series_units(profile, series));
}

bool series_is_of_heap(const struct profile *profile, uint32_t series)
{
    return profile->series.items[series].heap != HEAP_EVENT_NONE;
}

bool series_of_heap_exist(const struct profile *profile)
{
    for (uint32_t i = 0; i < profile->series.count; i++)
        if (series_is_of_heap(profile, i))
            return true;
    return false;
}

bool series_is_at_rate(const struct profile *profile, uint32_t series)
{
    return !series_is_of_waits(profile, series) && !series_is_of_heap(profile, series);
}
