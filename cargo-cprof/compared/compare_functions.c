#include "compared/compare_functions.h"

#include <math.h>

#include "base/units.h"
#include "changes/change_rows.h"
#include "changes/empty_side.h"
#include "changes/unlike.h"
#include "facts/missed.h"
#include "record/event_list.h"

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

/* Many runs without a profiler know better how long one takes; but not how much of it samples stand for. */
static void take_measured(const struct figures *figures, bool is_user_only, size_t which,
                          struct measure *measure)
{
    struct measure_side *side = &measure->sides[which];
    uint64_t cpu_ns = mean_ns(figures, FIGURE_CPU, which);

    if (measure->has_missed) {
        side->apart = cpu_ns > side->whole ? cpu_ns - side->whole : 0;
        return;
    }
    if (side->weight > 0)
        side->whole = is_user_only ? mean_ns(figures, FIGURE_USER, which) : cpu_ns;
    if (is_user_only)
        side->apart = mean_ns(figures, FIGURE_SYSTEM, which);
}

static int choose_measure(const struct joined_part *parts, const struct figures *figures, struct measure *out,
                          struct error *err)
{
    enum figure_kind sampled = sampled_figure(parts);
    bool is_noise = verdict_of_ratio(figures->items[sampled].ratio) == VERDICT_NOISE;

    /* Runs that were profiled tell by themselves how far what they counted differs. */
    if (weight_of_series(parts[0].profile, parts[0].series) == WEIGHT_VALUE)
        return measure_make(parts, measure_usual(parts), out, err);
    if (is_noise || measure_usual(parts) != MEASURE_CPU)
        return measure_make(parts, MEASURE_SHARE, out, err);
    if (measure_make(parts, MEASURE_CPU, out, err) < 0)
        return -1;
    out->is_per_run = true;
    for (size_t side = 0; side < JOINED_SIDES; side++)
        take_measured(figures, sampled == FIGURE_USER, side, out);
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

static const char how_to_record_more[] =
    "record more of each, `cargo cprof exec -F 4000 --runs NUM -o FILE.cprof -- ...`, and compare the files, "
    "`cargo cprof diff`";

/* How often programs are profiled here is not for the user to say. */
static int check_sides(const struct joined_part parts[JOINED_SIDES], const struct measure *measure,
                       const struct change_words *words, struct error *err)
{
    bool is_sampled = weight_of_series(parts[0].profile, parts[0].series) == WEIGHT_SAMPLES;

    if (empty_side_check(parts, measure, words, err) == 0)
        return 0;
    if (is_sampled)
        error_hint(err, "%s", how_to_record_more);
    return -1;
}

/* The whole differs, as many runs tell; which function it is in the samples of some do not. */
static void add_how_to_tell(struct rows *rows, const struct measure *measure)
{
    double samples = measure->sides[JOINED_BEFORE].samples + measure->sides[JOINED_AFTER].samples;
    SCOPED(text_done) struct text note = {0};

    text_add_string(&note, "no function differs by more than noise in ");
    units_add_count(&note, (uint64_t)llround(samples));
    text_format(&note, " samples: %s", how_to_record_more);
    *vec_add(&rows->notes) = arena_copy(&rows->arena, text_slice(&note));
}

/* Of each side that has no samples of clearly more. */
static void note_missed(const struct joined_part parts[JOINED_SIDES], const struct change_words *words,
                        struct rows *rows)
{
    const char *labels[] = {words->before, words->after};

    for (size_t side = 0; side < JOINED_SIDES; side++) {
        SCOPED(text_done) struct text note = {0};

        text_format(&note, "%s: samples stand for ", labels[side]);
        if (!missed_add_share(&note, parts[side].profile, parts[side].series))
            continue;
        text_add_string(&note, ", so which functions took the rest is not known");
        *vec_add(&rows->notes) = arena_copy(&rows->arena, text_slice(&note));
    }
}

/* As by --runs 1. */
static void note_one_run(const struct measure *measure, struct rows *rows)
{
    if (!measure_tells_runs(measure))
        *vec_add(&rows->notes) = "of one profiled run of each: how much runs differ is not known";
}

static int compare(const struct compared_functions_request *request, struct compared_functions *out,
                   struct error *err)
{
    const struct timing_request *timing = request->timing;
    const struct joined_part parts[JOINED_SIDES] = {{&out->profiles.profiles[TIMING_BEFORE], 0},
                                                    {&out->profiles.profiles[TIMING_AFTER], 0}};
    const struct change_words words = {timing->programs[TIMING_BEFORE].label,
                                       timing->programs[TIMING_AFTER].label};
    struct measure measure;

    if (choose_measure(parts, request->figures, &measure, err) < 0 ||
        check_sides(parts, &measure, &words, err) < 0)
        return -1;
    measure_tell_runs(parts, &measure);
    if (measure.kind == MEASURE_COUNT || measure.kind == MEASURE_WAITED)
        out->event_count =
            compare_event_find(parts, &measure, request->figures->confidence, &out->arena, out->events);
    changes_make(parts, JOINED_BY_FUNCTION, &measure, &out->changes);
    out->has_changes = true;
    change_rows_fill(&out->changes, JOINED_BY_FUNCTION, &words, &out->rows);
    add_unlike(parts, &words, &out->rows);
    if (measure.kind == MEASURE_CPU || measure_usual(parts) == MEASURE_CPU)
        note_missed(parts, &words, &out->rows);
    if (out->event_count > 0)
        note_one_run(&measure, &out->rows);
    if (measure.kind != MEASURE_CPU && measure_usual(parts) == MEASURE_CPU)
        *vec_add(&out->rows.notes) =
            sampled_figure(parts) == FIGURE_USER
                ? "in shares, as the user time of the two differs by no more than noise"
                : "in shares, as the CPU time of the two differs by no more than noise";
    if (measure.kind == MEASURE_CPU && out->changes.told_count == 0)
        add_how_to_tell(&out->rows, &measure);
    return 0;
}

/* So many runs as were asked for are those that an event is to be told of, too. */
static unsigned least_runs(const struct compared_functions_request *wanted)
{
    const struct timing_plan *plan = &wanted->timing->plan;
    size_t count = wanted->figures->run_count;
    bool is_exact = plan->least_runs == plan->most_runs && wanted->sampling.event_count > 0 &&
                    !event_is_of_time(&wanted->sampling.events[0]);

    return (unsigned)(is_exact || count < RUNS_LEAST ? count : RUNS_LEAST);
}

int compared_functions_find(const struct compared_functions_request *wanted, struct compared_functions *out,
                            struct error *err)
{
    const struct figures *figures = wanted->figures;
    struct profiles_request request = {
        .timing = wanted->timing,
        .sampling = wanted->sampling,
        .options = wanted->options,
        .warnings = wanted->warnings,
        .least_runs = least_runs(wanted),
        .pair_seconds = wanted->pair_seconds,
    };

    *out = (struct compared_functions){0};
    for (size_t side = 0; side < TIMING_SIDES; side++)
        request.cpu_seconds[side] = figures->items[FIGURE_CPU].sides[side].mean;
    if (compared_profiles_record(&request, &out->profiles, err) < 0)
        return -1;
    return out->profiles.interrupt ? 0 : compare(wanted, out, err);
}

void compared_functions_done(struct compared_functions *functions)
{
    rows_done(&functions->rows);
    arena_done(&functions->arena);
    if (functions->has_changes)
        changes_done(&functions->changes);
    compared_profiles_done(&functions->profiles);
}
