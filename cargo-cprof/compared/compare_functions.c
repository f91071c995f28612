#include "compared/compare_functions.h"

#include <math.h>

#include "base/units.h"
#include "changes/change_rows.h"
#include "changes/unlike.h"

/* Of each program, unless less often was asked for: fewer do not tell what a run has that others have not. */
enum { RUNS_LEAST = 5 };

static uint64_t mean_ns(const struct figures *figures, enum figure_kind kind, size_t side)
{
    return (uint64_t)llround(figures->items[kind].sides[side].mean * 1e9);
}

/* Samples are of what this figure tells. */
static enum figure_kind sampled_figure(const struct joined_part *parts)
{
    return joined_is_user_only(parts) ? FIGURE_USER : FIGURE_CPU;
}

static int choose_measure(const struct joined_part *parts, const struct figures *figures, struct measure *out,
                          struct error *err)
{
    enum figure_kind sampled = sampled_figure(parts);
    bool is_noise = verdict_of_ratio(figures->items[sampled].ratio) == VERDICT_NOISE;

    if (is_noise || measure_usual(parts) != MEASURE_CPU)
        return measure_make(parts, MEASURE_SHARE, out, err);
    if (measure_make(parts, MEASURE_CPU, out, err) < 0)
        return -1;
    out->is_per_run = true;
    /* Many runs without a profiler know better how long one takes. */
    for (size_t side = 0; side < JOINED_SIDES; side++) {
        if (out->sides[side].weight > 0)
            out->sides[side].whole = mean_ns(figures, sampled, side);
        if (sampled == FIGURE_USER)
            out->sides[side].kernel = mean_ns(figures, FIGURE_SYSTEM, side);
    }
    return 0;
}

/* What is told of rows that the way of recording makes. */
static void add_unlike(const struct joined_part parts[JOINED_SIDES], const struct change_words *words,
                       struct rows *rows)
{
    const char *unlike[UNLIKE_MOST];
    size_t count = unlike_find(parts, words, &rows->arena, unlike);

    for (size_t i = 0; i < count; i++)
        *vec_add(&rows->notes) = unlike[i];
}

/* The whole differs, as many runs tell; which function it is in the samples of some do not. */
static void add_how_to_tell(struct rows *rows, const struct measure *measure)
{
    double samples = measure->sides[JOINED_BEFORE].samples + measure->sides[JOINED_AFTER].samples;
    SCOPED(text_done) struct text note = {0};

    text_add_string(&note, "no function differs by more than noise in ");
    units_add_count(&note, (uint64_t)llround(samples));
    text_add_string(&note,
                    " samples: record more of each, `cargo cprof exec -F 4000 --runs NUM -o FILE.cprof "
                    "-- ...`, and compare the files, `cargo cprof diff`");
    *vec_add(&rows->notes) = arena_copy(&rows->arena, text_slice(&note));
}

static int compare(const struct timing_request *timing, const struct figures *figures,
                   struct compared_functions *out, struct error *err)
{
    const struct joined_part parts[JOINED_SIDES] = {{&out->profiles.profiles[TIMING_BEFORE], 0},
                                                    {&out->profiles.profiles[TIMING_AFTER], 0}};
    const struct change_words words = {timing->programs[TIMING_BEFORE].label,
                                       timing->programs[TIMING_AFTER].label};
    struct measure measure;

    if (choose_measure(parts, figures, &measure, err) < 0)
        return -1;
    measure_tell_runs(parts, &measure);
    changes_make(parts, JOINED_BY_FUNCTION, &measure, &out->changes);
    out->has_changes = true;
    change_rows_fill(&out->changes, JOINED_BY_FUNCTION, &words, &out->rows);
    add_unlike(parts, &words, &out->rows);
    if (measure.kind != MEASURE_CPU && measure_usual(parts) == MEASURE_CPU)
        *vec_add(&out->rows.notes) =
            sampled_figure(parts) == FIGURE_USER
                ? "in shares, as the user time of the two differs by no more than noise"
                : "in shares, as the CPU time of the two differs by no more than noise";
    if (measure.kind == MEASURE_CPU && out->changes.told_count == 0)
        add_how_to_tell(&out->rows, &measure);
    return 0;
}

int compared_functions_find(const struct timing_request *timing, const struct figures *figures,
                            struct compared_functions *out, struct error *err)
{
    struct profiles_request request = {
        .timing = timing,
        .least_runs = figures->run_count < RUNS_LEAST ? (unsigned)figures->run_count : RUNS_LEAST,
    };

    *out = (struct compared_functions){0};
    for (size_t side = 0; side < TIMING_SIDES; side++) {
        request.cpu_seconds[side] = figures->items[FIGURE_CPU].sides[side].mean;
        request.elapsed_seconds[side] = figures->items[FIGURE_ELAPSED].sides[side].mean;
    }
    if (compared_profiles_record(&request, &out->profiles, err) < 0)
        return -1;
    return out->profiles.interrupt ? 0 : compare(timing, figures, out, err);
}

void compared_functions_done(struct compared_functions *functions)
{
    rows_done(&functions->rows);
    if (functions->has_changes)
        changes_done(&functions->changes);
    compared_profiles_done(&functions->profiles);
}
