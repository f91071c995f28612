#include "compared/compare_event.h"

#include <math.h>

#include "base/memory.h"
#include "facts/series_unit.h"

/* What no run of one side has, and each of the other: more than any noise, and no part of nothing. */
static struct ratio ratio_of_none(const struct sample_summary *sides, struct ratio ratio)
{
    double is = 0;

    if (sides[TIMING_BEFORE].most == 0 && sides[TIMING_AFTER].least > 0)
        is = INFINITY;
    else if (sides[TIMING_BEFORE].least == 0 || sides[TIMING_AFTER].most > 0)
        return ratio;
    return (struct ratio){.estimate = is, .low = is, .high = is, .is_bounded = true};
}

/* What the side's runs had each, in the figure's unit, into room for so many. */
static void fill_runs(const struct joined_part parts[JOINED_SIDES], enum joined_side which,
                      const struct measure *measure, double *runs, size_t count)
{
    const struct profile *profile = parts[which].profile;
    const struct measure_side *side = &measure->sides[which];
    struct joined_cursor cursor = joined_cursor_of(parts, which);
    double of_one = side->weight > 0 ? (double)side->of_all_runs / (double)side->weight : 0;
    struct sample_sum sum;

    if (measure->kind == MEASURE_WAITED)
        of_one /= 1e9;
    while (joined_cursor_next(&cursor, &sum)) {
        uint32_t run = profile->threads.items[sum.thread].run;

        if (run < count)
            runs[run] += (double)weight_of_sum(&sum, measure->weights[which]) * of_one;
    }
}

static enum figure_shape shape_of(const struct joined_part *part, const struct measure *measure)
{
    if (measure->kind == MEASURE_WAITED)
        return FIGURE_OF_TIME;
    return slice_is(series_units(part->profile, part->series), "bytes") ? FIGURE_OF_BYTES : FIGURE_OF_THINGS;
}

void compare_event_find(const struct joined_part parts[JOINED_SIDES], const struct measure *measure,
                        double confidence, struct arena *arena, struct other_figure *out)
{
    const struct profile *head = parts[JOINED_AFTER].profile;
    uint32_t series = parts[JOINED_AFTER].series;
    uint32_t before_count = parts[JOINED_BEFORE].profile->run_count;
    size_t count = before_count < head->run_count ? before_count : head->run_count;
    SCOPED(memory_free_at) double *before = memory_new(count + 1, sizeof(double));
    SCOPED(memory_free_at) double *after = memory_new(count + 1, sizeof(double));

    *out = (struct other_figure){
        .name = arena_copy(arena, profile_text(head, head->series.items[series].event)),
        .unit = measure->kind == MEASURE_WAITED ? "ns" : arena_copy(arena, series_units(head, series)),
        .shape = shape_of(&parts[JOINED_AFTER], measure),
        .run_count = count,
        .confidence = confidence,
    };
    fill_runs(parts, JOINED_BEFORE, measure, before, count);
    fill_runs(parts, JOINED_AFTER, measure, after, count);
    figure_compute(before, after, count, confidence, &out->figure);
    if (count > 1)
        out->figure.ratio = ratio_of_none(out->figure.sides, out->figure.ratio);
}
