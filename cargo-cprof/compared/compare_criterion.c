#include "compared/compare_criterion.h"

#include <stdlib.h>

#include "base/regex.h"
#include "cli/command.h"
#include "compared/compare_limits.h"
#include "compared/compare_profiles.h"
#include "compared/criterion_programs.h"
#include "compared/named_bench.h"
#include "criterion/benchmark_rows.h"
#include "criterion/timed_part.h"
#include "files/input_options.h"

enum {
    USUAL_SECONDS = 5,
    MOST_SECONDS = 3600,
    LEAST_RUNS = 5, /* fewer tell too little of how far they differ; of a second, Criterion's least */
    MOST_RUNS = 10, /* their deviation is known to a quarter then */
};

/* Borrowed. */
struct benchmark_names {
    VEC(const char *) items;
};

/* One comparison. */
struct work {
    const struct options *options;
    const struct compare_settings *settings;
    const char *names[CRITERION_SIDES]; /* of the baselines */
    unsigned run_count;                 /* in which each side of a benchmark is profiled, */
    unsigned run_seconds;               /* for so long */
    struct regex *filter;
    struct criterion_baselines baselines;
    struct criterion_programs programs; /* that are profiled */
    int interrupt;                      /* the first signal that ended it; 0: none */
    bool has_lone_runs;                 /* that nothing of the same side can be held against */
    bool has_functions;                 /* that are told */
    struct benchmark_names untold;      /* whose functions' times are not known */
    struct benchmark_names alike;       /* that changed, and none of whose functions is told to have */
    struct rows rows;
    struct arena arena;
};

static void work_done(struct work *work)
{
    regex_free(work->filter);
    criterion_baselines_done(&work->baselines);
    criterion_programs_done(&work->programs);
    vec_done(&work->untold.items);
    vec_done(&work->alike.items);
    rows_done(&work->rows);
    arena_done(&work->arena);
}

/* --- What is asked for ----------------------------------------------------------------- */

static int refuse_options(const struct options *options, const struct compare_settings *settings,
                          struct error *err)
{
    static const char *const names[] = {"runs",     "min-runs",    "max-runs",   "warmup",          "setup",
                                        "prepare",  "conclude",    "cleanup",    "input",           "shell",
                                        "no-shell", "export-json", "export-csv", "export-markdown", "event"};

    for (size_t i = 0; i < ARRAY_COUNT(names); i++)
        if (options_has(options, names[i]))
            return error_set(err, ERROR_USAGE,
                             "--%s is about programs that are run; Criterion has measured "
                             "what --baseline compares",
                             names[i]);
    for (size_t i = 0; i < settings->limits.count; i++)
        if (settings->limits.items[i].figure != FIGURE_ELAPSED)
            return error_set(err, ERROR_USAGE, "--fail-over %s: Criterion measures elapsed time alone",
                             settings->limits.items[i].text);
    if (options->program_arguments && options->program_arguments[0]) {
        error_hint(err, "--filter REGEXP picks benchmarks");
        return error_set(err, ERROR_USAGE,
                         "what follows -- would be the benchmark's own, which has run already");
    }
    if (options->positionals.count > 0 && !(settings->profiles && options_has(options, "bench"))) {
        error_hint(err, "--filter REGEXP picks benchmarks; a revision is for --bench NAME");
        return error_set(err, ERROR_USAGE, "%s: --baseline compares what Criterion has kept",
                         options->positionals.items[0]);
    }
    return 0;
}

/* Several where there is time for them: how far they differ tells what a difference of the sides is worth. */
static int read_profile_time(struct work *work, struct error *err)
{
    uint64_t seconds = 0;

    if (options_number(work->options, "profile-time", USUAL_SECONDS, &seconds, err) < 0)
        return -1;
    if (seconds == 0 || seconds > MOST_SECONDS)
        return error_set(err, ERROR_USAGE, "--profile-time %s: 1 to %d seconds",
                         options_value(work->options, "profile-time"), MOST_SECONDS);
    work->run_count = seconds < LEAST_RUNS ? 1 : seconds < MOST_RUNS ? (unsigned)seconds : MOST_RUNS;
    work->run_seconds = ((unsigned)seconds + work->run_count / 2) / work->run_count;
    return 0;
}

static int read_options(struct work *work, struct error *err)
{
    const struct options *options = work->options;
    const char *after = options_value(options, "load-baseline");

    work->names[CRITERION_BEFORE] = options_value(options, "baseline");
    work->names[CRITERION_AFTER] = after ? after : "new";
    return read_profile_time(work, err) < 0 ? -1 : input_regex(options, "filter", &work->filter, err);
}

/* --- What Criterion has kept ----------------------------------------------------------- */

/* Where Criterion puts it: its default_output_directory(). */
static int find_folder(struct work *work, const char **out, struct error *err)
{
    const char *home = getenv("CRITERION_HOME");
    struct cargo_graph graph = {0};

    if (home) {
        *out = home;
        return 0;
    }
    if (cargo_graph_load(work->options, &graph, err) < 0)
        return -1;
    *out = arena_format(&work->arena, "%.*s/criterion", SLICE_ARGUMENTS(graph.target_directory));
    cargo_graph_done(&graph);
    return 0;
}

/* The first few: there may be hundreds. */
static void hint_names(const struct criterion_baselines *baselines, struct error *err)
{
    enum { MOST = 5 };
    size_t count = baselines->items.count;
    SCOPED(text_done) struct text names = {0};

    for (size_t i = 0; i < count && i < MOST; i++) {
        text_add_string(&names, i > 0 ? ", " : "");
        text_add_string(&names, baselines->items.items[i].id);
    }
    if (count > MOST)
        text_format(&names, " and %zu more", count - MOST);
    error_hint(err, "there are %s", text_string(&names));
}

static int keep_wanted(struct work *work, struct error *err)
{
    struct criterion_baselines *baselines = &work->baselines;
    size_t kept = 0;

    for (size_t i = 0; i < baselines->items.count; i++) {
        int matches =
            work->filter ? regex_matches(work->filter, slice_of(baselines->items.items[i].id), err) : 1;

        if (matches < 0)
            return error_wrap(err, "--filter");
        if (matches)
            baselines->items.items[kept++] = baselines->items.items[i];
    }
    if (kept == 0) {
        hint_names(baselines, err);
        return error_set(err, ERROR_MISSING, "--filter %s: no benchmark matches",
                         options_value(work->options, "filter"));
    }
    baselines->items.count = kept;
    return 0;
}

/* Who saves a baseline and compares at once has nothing to compare. */
static void tell_same_runs(const struct work *work)
{
    if (criterion_baselines_count(&work->baselines, CRITERION_SAME_RUN) == work->baselines.items.count)
        command_warn(work->options, "%s and %s are of the same run: after the change, run cargo bench again",
                     work->names[CRITERION_BEFORE], work->names[CRITERION_AFTER]);
}

static void tell_left_out(const struct work *work)
{
    const struct criterion_baselines *baselines = &work->baselines;

    for (size_t i = 0; i < baselines->skipped.count; i++)
        command_warn(work->options, "left out: %s", baselines->skipped.items[i]);
    if (baselines->without_before > 0)
        command_note(work->options, "%zu benchmark%s without a baseline %s %s left out",
                     baselines->without_before, baselines->without_before == 1 ? "" : "s",
                     work->names[CRITERION_BEFORE], baselines->without_before == 1 ? "is" : "are");
}

static int read_baselines(struct work *work, struct error *err)
{
    struct criterion_request request = {
        .baselines = {work->names[CRITERION_BEFORE], work->names[CRITERION_AFTER]},
        .confidence = work->settings->confidence};

    if (find_folder(work, &request.folder, err) < 0 ||
        criterion_baselines_read(&request, &work->baselines, err) < 0)
        return -1;
    tell_left_out(work);
    return keep_wanted(work, err);
}

/* --- Profiling ------------------------------------------------------------------------- */

/* Leaves what is of an iteration's time on both sides; `*is_told`: where that can be told. */
static int keep_timed(struct compared_profiles *profiles, bool *is_told, struct error *err)
{
    *is_told = true;
    for (size_t side = 0; side < TIMING_SIDES && *is_told; side++)
        if (timed_part_keep(&profiles->profiles[side], is_told, err) < 0)
            return -1;
    return 0;
}

/* Of samples that are timed, a function's share is its part of an iteration's time. */
static int make_changes(const struct compared_profiles *profiles, struct changes *out, struct error *err)
{
    const struct joined_part parts[JOINED_SIDES] = {{&profiles->profiles[TIMING_BEFORE], 0},
                                                    {&profiles->profiles[TIMING_AFTER], 0}};
    struct measure measure;

    if (measure_make(parts, MEASURE_SHARE, &measure, err) < 0)
        return -1;
    measure_tell_runs(parts, &measure);
    changes_make(parts, JOINED_BY_FUNCTION, &measure, out);
    return 0;
}

static int add_functions(struct work *work, const struct criterion_benchmark *benchmark, struct error *err)
{
    SCOPED(compared_profiles_done) struct compared_profiles profiles = {0};
    SCOPED(changes_done) struct changes changes = {0};
    struct timing_request timing;
    bool is_told = false;
    /* A run takes as long as it is given, so its time does not say how often. */
    struct profiles_request request = {.timing = &timing,
                                       .cpu_seconds = {1e9, 1e9},
                                       .pair_seconds = 1e9,
                                       .least_runs = work->run_count,
                                       .sampling = work->settings->sampling};

    criterion_programs_request(&work->programs, benchmark->id, work->run_seconds, work->settings->output,
                               &timing);
    if (!options_has(work->options, "quiet"))
        command_status(work->options, "Profiling", benchmark->id);
    if (compared_profiles_record(&request, &profiles, err) < 0)
        return -1;
    work->interrupt = profiles.interrupt;
    if (profiles.interrupt)
        return 0;
    if (keep_timed(&profiles, &is_told, err) < 0)
        return -1;
    if (!is_told) {
        *vec_add(&work->untold.items) = benchmark->id;
        return 0;
    }
    if (make_changes(&profiles, &changes, err) < 0)
        return -1;
    if (benchmark_rows_add_functions(benchmark, &changes, work->settings->outputs.limit, &work->rows) == 0) {
        *vec_add(&work->alike.items) = benchmark->id;
        return 0;
    }
    work->has_functions = true;
    work->has_lone_runs = work->has_lone_runs || !measure_tells_runs(&changes.measure);
    return 0;
}

/* --- All of it ------------------------------------------------------------------------- */

/* Below the table. */
static void note_benchmarks(struct rows *rows, const char *what, const struct benchmark_names *names,
                            const char *why)
{
    SCOPED(text_done) struct text text = {0};

    if (names->items.count == 0)
        return;
    text_add_string(&text, what);
    for (size_t i = 0; i < names->items.count; i++)
        text_format(&text, "%s%s", i > 0 ? ", " : " ", names->items.items[i]);
    text_format(&text, ": %s", why);
    *vec_add(&rows->notes) = arena_copy(&rows->arena, text_slice(&text));
}

/* What rows of functions are worth. */
static void note_runs(struct work *work)
{
    struct rows *rows = &work->rows;

    if (!work->has_functions)
        return;
    *vec_add(&rows->notes) =
        work->has_lone_runs
            ? "functions: of one run of each side; what differs from run to run may be among them, and "
              "--profile-time 5 takes several"
            : arena_format(&rows->arena,
                           "functions: of %u runs of each side, in turn; those are told that differ by more "
                           "than sampling and the runs of one side do",
                           work->run_count);
}

/* Of which benchmarks no functions are told, and what does tell of them. */
static void note_untold(struct work *work)
{
    note_benchmarks(&work->rows, "no functions are told of", &work->untold,
                    "which of their samples are of what Criterion times cannot be told (batches of one "
                    "iteration, iter_custom, other threads, the kernel where it is not sampled); shares "
                    "of all samples: cargo cprof --bench NAME --diff REV -- --profile-time 3 BENCHMARK");
    note_benchmarks(
        &work->rows, "no function has clearly more or less of the time in", &work->alike,
        "all of it changed alike, as where the machine was slower or faster meanwhile, or these are "
        "too few samples to tell which changed: --profile-time 30 takes more");
}

static int fill_rows(struct work *work, struct error *err)
{
    criterion_baselines_judge(&work->baselines, work->settings->confidence);
    benchmark_rows_begin(&work->rows);
    for (size_t i = 0; i < work->baselines.items.count; i++) {
        const struct criterion_benchmark *benchmark = &work->baselines.items.items[i];

        benchmark_rows_add(benchmark, &work->rows);
        if (work->programs.exist && !work->interrupt && criterion_is_change(benchmark) &&
            add_functions(work, benchmark, err) < 0)
            return error_wrap(err, "%s", benchmark->id);
    }
    if (work->interrupt)
        command_warn(work->options, "ended early: not all that changed was profiled");
    tell_same_runs(work);
    benchmark_rows_end(&work->baselines, work->names[CRITERION_BEFORE], work->names[CRITERION_AFTER],
                       &work->rows);
    note_runs(work);
    note_untold(work);
    return 0;
}

static int check_limits(const struct work *work, struct error *err)
{
    SCOPED(text_done) struct text doubts = {0};
    int kept = compare_limits_check_benchmarks(work->settings, &work->baselines, &doubts, err);

    if (doubts.length > 0)
        command_warn(work->options, "%s", text_string(&doubts));
    return kept;
}

int compare_criterion(const struct options *options, const struct compare_settings *settings, int *exit_code,
                      struct error *err)
{
    SCOPED(work_done) struct work work = {.options = options, .settings = settings};

    if (refuse_options(options, settings, err) < 0 || read_options(&work, err) < 0 ||
        read_baselines(&work, err) < 0)
        return -1;
    if (settings->profiles && options_has(options, "bench")
            ? criterion_programs_make(options, work.names[CRITERION_BEFORE], &work.baselines, &work.programs,
                                      err) < 0
            : named_bench_check(options, err) < 0)
        return -1;
    if (fill_rows(&work, err) < 0 || compare_settings_write(options, &settings->outputs, &work.rows, err) < 0)
        return -1;
    if (work.interrupt)
        *exit_code = EXIT_CODE_OF_SIGNAL + work.interrupt;
    if (work.programs.unbuilt.kind != ERROR_NONE) {
        *err = work.programs.unbuilt;
        return error_wrap(err, "which functions changed is not known");
    }
    return check_limits(&work, err);
}
