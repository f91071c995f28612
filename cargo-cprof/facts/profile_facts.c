#include "facts/profile_facts.h"

#include "facts/cpu_time.h"
#include "facts/quality.h"
#include "facts/series_unit.h"
#include "profile/totals.h"

static void add_known(struct rows *rows, const char *key, uint64_t number)
{
    if (number > 0)
        rows_add_fact(rows, key, number);
}

/* Values of folded stacks count samples. */
static uint64_t sample_count(const struct profile *profile, uint32_t series)
{
    const struct profile_series *of = &profile->series.items[series];
    bool is_sum = weight_of_series(profile, series) == WEIGHT_VALUE && !series_counts_things(profile, series);

    return is_sum ? series_sum_of_values(of) : of->samples.count;
}

/* Of a part of a recording, what that was. */
static void add_whole(struct rows *rows, const struct series_whole *whole)
{
    if (whole->sample_count == 0)
        return;
    rows_add_fact(rows, "whole-samples", whole->sample_count);
    rows_add_fact(rows, "whole-lost", whole->lost_count);
    add_known(rows, "whole-counted", whole->happened_count);
    add_known(rows, "whole-cpu-ns", whole->cpu_ns);
}

void profile_facts_add(const struct profile *profile, uint32_t series, struct rows *rows)
{
    const struct profile_series *of = &profile->series.items[series];

    if (!series_is_of_folded_waits(profile, series) && !of->is_summed)
        rows_add_fact(rows, "samples", sample_count(profile, series));
    if (quality_is_known(of)) {
        rows_add_fact(rows, "lost", of->lost_count);
        rows_add_fact(rows, "cut", quality_cut_count(of));
        rows_add_fact(rows, "unchecked", of->ended_counts[STACK_UNCHECKED]);
    }
    add_known(rows, "cpu-ns", cpu_time_ns(profile, of));
    add_whole(rows, &of->whole);
    add_known(rows, "wall-ns", profile->wall_ns);
    if (series_is_of_waits(profile, series) && !series_is_part(of))
        add_known(rows, "ready-ns", profile->ready_ns);
    add_known(rows, "hz", of->frequency_hz);
    rows->labels_key = "sampled";
    rows_add_label(rows, "event", profile_text(profile, of->event));
    rows_add_label(rows, "unit", series_units(profile, series));
    if (of->is_user_only)
        rows_add_label(rows, "part", SLICE("user"));
}
