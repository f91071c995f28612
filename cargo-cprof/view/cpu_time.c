#include "view/cpu_time.h"

#include "profile/totals.h"

uint64_t series_sum_of_values(const struct profile_series *series)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < series->samples.sums.count; i++)
        weight_add(&sum, series->samples.sums.items[i].value);
    return sum;
}

uint64_t cpu_time_ns(const struct profile *profile, const struct profile_series *series)
{
    bool is_time = slice_is(profile_text(profile, series->unit), "ns");
    uint64_t sampled = is_time ? series_sum_of_values(series) : 0;

    return sampled > profile->cpu_ns + profile->cpu_ns / 20 ? sampled : profile->cpu_ns;
}
