#include "compared/compare_event.h"

#include <math.h>

#include "facts/cpu_time.h"
#include "facts/series_unit.h"
#include "profile/heap_events.h"

/* How much each of so many runs of both sides had. */
struct run_figures {
    double *sides[JOINED_SIDES];
    size_t count;
};

/* What no run of one side has, and each of the other: more than any noise, and no part of nothing. */
static struct ratio ratio_of_none(const struct sample_summary *sides, struct ratio ratio)
{
    double is = 0;

    if (sides[TIMING_BEFORE].most == 0 && sides[TIMING_AFTER].least > 0)
        is = INFINITY;
    else if (sides[TIMING_BEFORE].least == 0 || sides[TIMING_AFTER].most > 0)
        return ratio;
    return (struct ratio){.estimate = is, .low = is, .high = is, .is_bounded = true, .has_low = true};
}

/* Adds what the side's runs had each, in the figure's unit, to the first so many of `runs`. */
static void fill_runs(const struct joined_part parts[JOINED_SIDES], enum joined_side which,
                      enum weight weight, double of_one, const struct run_figures *runs)
{
    const struct profile *profile = parts[which].profile;
    struct joined_cursor cursor = joined_cursor_of(parts, which);
    struct sample_sum sum;

    while (joined_cursor_next(&cursor, &sum)) {
        uint32_t run = profile->threads.items[sum.thread].run;

        if (run < runs->count)
            runs->sides[which][run] += (double)weight_of_sum(&sum, weight) * of_one;
    }
}

/* How often a run has what its samples say: those of a moment are parts of the mean of all (heap_runs.h). */
static double times_of_run(const struct joined_part *part)
{
    const struct profile *profile = part->profile;

    return heap_event_is_of_moment(profile->series.items[part->series].heap) ? profile->run_count : 1;
}

/* What of one side's weight each is, where nothing has no sample. */
static double unit_of(const struct joined_part *part, const struct measure *measure, enum joined_side which)
{
    const struct measure_side *side = &measure->sides[which];
    double unit =
        side->weight > 0 ? (double)side->of_all_runs / (double)side->weight * times_of_run(part) : 0;

    return measure->kind == MEASURE_WAITED ? unit / 1e9 : unit;
}

static void judge(const struct run_figures *runs, struct other_figure *out)
{
    figure_compute(runs->sides[JOINED_BEFORE], runs->sides[JOINED_AFTER], runs->count, out->confidence,
                   &out->figure);
    if (runs->count > 1)
        out->figure.ratio = ratio_of_none(out->figure.sides, out->figure.ratio);
}

static const struct profile_series *series_of(const struct joined_part *part)
{
    return &part->profile->series.items[part->series];
}

/*
 * Whether it was counted how often each run had it, and that is no less exact than its samples: where each of
 * these is of one, others may have been counted (series_all_counted). What one side's count has of the kernel
 * the other's must have, too.
 */
static bool counts_are_known(const struct joined_part parts[JOINED_SIDES], size_t run_count)
{
    for (size_t i = 0; i < JOINED_SIDES; i++) {
        const struct profile_series *series = series_of(&parts[i]);

        if (series->run_counts.count < run_count || series->happened_count == 0 ||
            series_sum_of_values(series) <= series->samples.count ||
            series->is_user_only != joined_is_user_only(parts))
            return false;
    }
    return true;
}

static void take_counts(const struct joined_part parts[JOINED_SIDES], const struct run_figures *runs)
{
    for (size_t i = 0; i < JOINED_SIDES; i++)
        for (size_t run = 0; run < runs->count; run++)
            runs->sides[i][run] = (double)series_of(&parts[i])->run_counts.items[run];
}

static void find_amounts(const struct joined_part parts[JOINED_SIDES], const struct measure *measure,
                         const struct run_figures *runs, struct other_figure *out)
{
    bool is_counted = measure->kind == MEASURE_COUNT && counts_are_known(parts, runs->count);

    if (is_counted)
        take_counts(parts, runs);
    for (size_t i = 0; i < JOINED_SIDES && !is_counted; i++)
        fill_runs(parts, (enum joined_side)i, measure->weights[i],
                  unit_of(&parts[i], measure, (enum joined_side)i), runs);
    judge(runs, out);
}

static void find_waits(const struct joined_part parts[JOINED_SIDES], const struct run_figures *runs,
                       struct other_figure *out)
{
    for (size_t i = 0; i < JOINED_SIDES; i++) {
        const struct profile *profile = parts[i].profile;
        const struct profile_series *series = &profile->series.items[parts[i].series];
        uint64_t kept = series->samples.count;

        for (size_t run = 0; run < runs->count; run++)
            runs->sides[i][run] = 0;
        fill_runs(parts, (enum joined_side)i, WEIGHT_SAMPLES,
                  kept > 0 ? (double)series_with_lost(series, kept) / (double)kept : 0, runs);
    }
    judge(runs, out);
}

static enum figure_shape shape_of(const struct joined_part *part, const struct measure *measure)
{
    if (measure->kind == MEASURE_WAITED)
        return FIGURE_OF_TIME;
    return slice_is(series_units(part->profile, part->series), "bytes") ? FIGURE_OF_BYTES : FIGURE_OF_THINGS;
}

size_t compare_event_find(const struct joined_part parts[JOINED_SIDES], const struct measure *measure,
                          double confidence, struct arena *arena, struct other_figure *out)
{
    const struct profile *head = parts[JOINED_AFTER].profile;
    uint32_t series = parts[JOINED_AFTER].series;
    uint32_t before_count = parts[JOINED_BEFORE].profile->run_count;
    size_t count = before_count < head->run_count ? before_count : head->run_count;
    struct run_figures runs = {{ARENA_ARRAY(arena, count + 1, double), ARENA_ARRAY(arena, count + 1, double)},
                               count};

    out[0] = (struct other_figure){
        .name = arena_copy(arena, profile_text(head, head->series.items[series].event)),
        .unit = measure->kind == MEASURE_WAITED ? "ns" : arena_copy(arena, series_units(head, series)),
        .shape = shape_of(&parts[JOINED_AFTER], measure),
        .run_count = count,
        .confidence = confidence,
    };
    find_amounts(parts, measure, &runs, &out[0]);
    if (measure->kind != MEASURE_WAITED)
        return 1;
    out[1] = (struct other_figure){.name = "waits",
                                   .unit = "waits",
                                   .shape = FIGURE_OF_THINGS,
                                   .run_count = count,
                                   .confidence = confidence};
    find_waits(parts, &runs, &out[1]);
    return COMPARE_EVENT_MOST;
}
