#include "facts/cpu_time.h"

#include <math.h>

#include "profile/totals.h"

static const double most_in_all = 1e18; /* as many are added up without an overflow */

uint64_t series_sum_of_values(const struct profile_series *series)
{
    struct sums_cursor cursor = sums_cursor_of(&series->samples.sums);
    struct sample_sum sum;
    uint64_t whole = 0;

    while (sums_cursor_next(&cursor, &sum))
        weight_add(&whole, sum.value);
    return whole;
}

uint64_t series_with_lost(const struct profile_series *series, uint64_t sum)
{
    double kept = (double)series_all_kept(series);
    uint64_t lost = series_all_lost(series);

    if (lost == 0 || kept == 0)
        return sum;
    return (uint64_t)fmin((double)sum * (1 + (double)lost / kept), most_in_all);
}

uint64_t series_all_counted(const struct profile_series *series, uint64_t sum)
{
    uint64_t sampled = series_with_lost(series, sum);

    if (sum <= series->samples.count)
        return sampled;
    return series->happened_count > sampled ? (uint64_t)fmin((double)series->happened_count, most_in_all)
                                            : sampled;
}

bool events_are_missed(uint64_t sampled, uint64_t all)
{
    enum { LEAST_EVENTS = 100 };

    return all >= LEAST_EVENTS && sampled < all - all / 10;
}

bool series_is_kernel_only(const struct profile *profile, const struct profile_series *series)
{
    struct slice event = profile_text(profile, series->event);
    size_t colon = slice_find_last_byte(event, ':');
    struct slice modifiers = slice_range(event, colon + 1, event.length);

    return slice_is(profile_text(profile, series->unit), "ns") && colon < event.length &&
           slice_find_byte(modifiers, 'k') < modifiers.length &&
           slice_find_byte(modifiers, 'u') == modifiers.length;
}

uint64_t cpu_time_ns(const struct profile *profile, const struct profile_series *series)
{
    bool is_time = slice_is(profile_text(profile, series->unit), "ns");
    uint64_t sampled = is_time ? series_with_lost(series, series_sum_of_values(series)) : 0;

    if (series_is_kernel_only(profile, series) || series_is_part(series))
        return sampled;
    return sampled > profile->cpu_ns + profile->cpu_ns / 20 ? sampled : profile->cpu_ns;
}

bool cpu_time_is_missed(double sampled_ns, uint64_t system_ns, bool is_user_only)
{
    const double least_share = is_user_only ? 0.75 : 0.9;
    const uint64_t least_ns = is_user_only ? 200000000 : 100000000;

    return system_ns >= least_ns && sampled_ns < (double)system_ns * least_share;
}

double cpu_time_sampling_percent(double samples, uint64_t cpu_ns)
{
    return cpu_ns > 0 ? samples * CPU_TIME_SAMPLE_NS * 100 / (double)cpu_ns : 0;
}
