#include "cmd_compare.h"

#include <string.h>

#include "cargo/args.h"
#include "cli/command.h"
#include "command_line.h"
#include "compare/build_facts.h"
#include "compared/compare_criterion.h"
#include "compared/compare_functions.h"
#include "compared/compare_limits.h"
#include "compared/compare_settings.h"
#include "compared/compared.h"
#include "proc/owner.h"
#include "target/standard_input.h"
#include "timing/figure_rows.h"

static const struct option_table *const tables[] = {
    &compare_timing_options,
    &compare_command_options,
    &compare_criterion_options,
    &compare_output_options,
    &cargo_target_options,
    &cargo_unit_options,
    &cargo_package_options,
    &cprof_feature_options,
    &cargo_compilation_options,
    &cargo_manifest_options,
    &cargo_general_options,
    &command_common_options,
    NULL,
};

#define TWO_COMMANDS "two values are two commands: cargo cprof compare 'app 1' 'app 2'"
#define OTHER_TABLES "tables are --export-markdown FILE, --export-csv FILE and -o FILE.md"

/* What hyperfine has beside these. */
static const struct option_answer hyperfine_answers[] = {
    {"export-asciidoc", 0, OTHER_TABLES},
    {"export-orgmode", 0, OTHER_TABLES},
    {"parameter-list", 'L', TWO_COMMANDS},
    {"parameter-scan", 'P', TWO_COMMANDS},
    {"reference", 0,
     "the first side is what the second is held against: cargo cprof compare REFERENCE COMMAND"},
    {"sort", 0, "there are two sides, in the order in which they are named"},
    {"style", 0, "--color never and -q leave out what is for people at a terminal"},
    {NULL, 0, NULL},
};

#define OWN_FREQUENCY                                                                                        \
    "how often it samples is chosen here; at a frequency of yours, once for each side: cargo cprof exec -F " \
    "HZ -o FILE.cprof -- PROGRAM, and cargo cprof diff"

/* What recording has beside these. */
static const struct option_answer recording_answers[] = {
    {"call-graph", 0, "stacks are found by unwind information: leave it out"},
    {"count", 0, OWN_FREQUENCY},
    {"diff", 0, "what it is compared with is the first word: cargo cprof compare BASE"},
    {"freq", 'F', OWN_FREQUENCY},
    {"frequency", 0, OWN_FREQUENCY},
    {"heap", 0, "one event is compared: -e heap-peak, alloc-bytes, alloc-count or heap-end"},
    {"off-cpu", 0, "that is -e off-cpu here"},
    {"root", 0, "sudo -E env \"PATH=$PATH\" cargo cprof compare: what it builds and runs stays yours"},
    {NULL, 0, NULL},
};

static const struct option_answer criterion_answers[] = {
    {"save-baseline", 0,
     "Criterion keeps one: cargo bench -- --save-baseline NAME; --baseline NAME compares with it"},
    {"baseline-lenient", 0, "benchmarks without the baseline are left out, and counted: --baseline NAME"},
    {NULL, 0, NULL},
};

static const struct option_answer *const answers[] = {hyperfine_answers, recording_answers, criterion_answers,
                                                      NULL};

static const char *const usages[] = {"[OPTIONS] A [B] [WHAT CARGO BUILDS] [-- ARGS]...", NULL};

static const struct command_example examples[] = {
    {"cargo cprof compare main", "What the change in the working tree does to the program's time"},
    {"cargo cprof compare v1.0..v2.0 --bin app -- big.txt", "Two versions, with the same arguments"},
    {"cargo cprof compare ./app-old ./app-new --runs 30 -- big.txt", "Two executables"},
    {"cargo cprof compare main -e alloc-count -- big.txt", "Which functions allocate more or less often"},
    {"cargo cprof compare 'grep -c x big' 'rg -c x big' --export-json times.json", "Two commands"},
    {"cargo cprof compare main --fail-over 5% --no-profile -- big.txt",
     "In CI: exit code 3 when it is slower"},
};

const struct command cprof_compare_command = {
    .name = "cprof",
    .verb = "compare",
    .summary = "Whether a change made a program faster or slower, by how much, and where",
    .description =
        "Runs two programs in turn (A B B A ...) with the same arguments and tells the difference of elapsed "
        "time, user and system time and peak memory, with a confidence interval: a change, or noise. A and B "
        "are "
        "revisions, executables or whole commands; without B it is the working tree as it is. Then both "
        "are profiled, and the functions shown whose time changed, or with --event what they have of "
        "another event, which is then a figure, too.\n"
        "Revisions are built by cargo with the profile `profiling`, each in a checkout of its own outside "
        "the repository, which stays as it is. Commands run without a shell. What the programs write is "
        "hidden.",
    .exit_status =
        COMMAND_EXIT_STATUS_WITH_CARGO "; 128 and the number of the signal that ended the measuring early",
    .usages = usages,
    .positional = "A",
    .positional_help =
        "One side: a revision (main, HEAD~3, A..B), an executable (./app) or a quoted command; B, the other "
        "one, likewise, or the working tree where there is none",
    .tables = tables,
    .answers = answers,
    .examples = examples,
    .example_count = ARRAY_COUNT(examples),
};

/* What makes the two sides differ beside the code. */
static void warn_of_builds(const struct options *options, const struct compared *compared,
                           struct warnings *warnings)
{
    const struct compared_side *sides = compared->sides;
    SCOPED(text_done) struct text differing = {0};

    build_facts_compare(
        &sides[TIMING_BEFORE].facts, &sides[TIMING_AFTER].facts,
        revision_locks_are_code(&sides[TIMING_BEFORE].revision, &sides[TIMING_AFTER].revision), &differing);
    if (differing.length > 0)
        warnings_add(warnings, options, "%s against %s: %s", sides[TIMING_AFTER].label,
                     sides[TIMING_BEFORE].label, text_string(&differing));
}

/* Of other harnesses nothing tells how long they run. */
static void note_harness(const struct options *options, const struct compared *compared)
{
    const struct run_built *built = &compared->sides[TIMING_AFTER].built;

    if ((built->harness == BENCH_OTHER || built->harness == BENCH_DIVAN) && !options_has(options, "quiet"))
        command_note(options,
                     "times are those of a whole run of %s: where its harness runs as long as it chooses to, "
                     "they tell nothing of an iteration",
                     built->built.artifact->target.name.data);
}

/* As it is with hyperfine; a loop that reads what to compare from a file has begun to. */
static void warn_of_input(const struct options *options)
{
    if (!options_has(options, "input") && standard_input_is_unread_file())
        command_warn(options, "what is on standard input is given to neither side: --input FILE gives a file "
                              "to each run");
}

static void fill_request(const struct compare_settings *settings, const struct compared *compared,
                         struct timing_request *out)
{
    *out = (struct timing_request){.plan = settings->plan};
    for (size_t i = 0; i < TIMING_SIDES; i++) {
        const struct compared_side *side = &compared->sides[i];

        out->programs[i] = (struct timed_program){
            .label = settings->names[i] ? settings->names[i] : side->label,
            .command = side->command,
            .launch = side->launch,
            .prepare = settings->prepare[i],
            .conclude = settings->conclude[i],
        };
        out->programs[i].launch.input = settings->input;
        out->programs[i].launch.output = settings->output;
    }
}

/* One comparison from its programs to its result. */
struct comparison {
    const struct options *options;
    const struct compare_settings *settings;
    const struct timing_request *request;
    struct warnings warnings;
    struct timings timings;
    struct figures figures;
    struct compared_functions functions;
    struct error unknown; /* why no functions are known; kind ERROR_NONE: they are, or were not asked for */
    struct rows rows;
};

static void comparison_done(struct comparison *comparison)
{
    warnings_done(&comparison->warnings);
    timings_done(&comparison->timings);
    compared_functions_done(&comparison->functions);
    rows_done(&comparison->rows);
}

static int write_exports(const struct comparison *comparison, struct error *err)
{
    struct export_request request = {
        .timings = &comparison->timings, .figures = &comparison->figures, .unit = comparison->settings->unit};

    for (size_t i = 0; i < TIMING_SIDES; i++)
        request.names[i] = comparison->settings->names[i] ? comparison->settings->names[i]
                                                          : comparison->request->programs[i].command;
    return compare_settings_export(comparison->options, &request, err);
}

static void warn_of_doubts(struct comparison *comparison)
{
    const struct timings *timings = &comparison->timings;
    SCOPED(text_done) struct text doubts = {0};

    figures_add_doubts(&doubts, &comparison->figures);
    if (doubts.length > 0)
        warnings_add(&comparison->warnings, comparison->options, "%s", text_string(&doubts));
    if (timings->signal)
        warnings_add(&comparison->warnings, comparison->options, "ended early: %zu of %zu runs of each",
                     comparison->figures.run_count, timings->planned_runs);
}

static int check_limits(const struct comparison *comparison, struct error *err)
{
    SCOPED(text_done) struct text doubts = {0};
    const struct other_figure *event =
        comparison->functions.event_count > 0 ? &comparison->functions.events[0] : NULL;
    int kept = compare_limits_check(comparison->settings, &comparison->figures, event,
                                    comparison->request->programs, &doubts, err);

    if (doubts.length > 0)
        command_warn(comparison->options, "%s", text_string(&doubts));
    return kept;
}

/* Which event was asked for is told as a figure, too. */
static void add_event(struct comparison *comparison)
{
    const struct compared_functions *functions = &comparison->functions;

    for (size_t i = 0; i < functions->event_count; i++)
        figure_rows_add(&functions->events[i], comparison->request->programs, &comparison->rows);
    if (functions->event_count > 0)
        rows_add_fact(&comparison->rows, "profiled-runs", functions->events[0].run_count);
}

/* Of an event that was asked for it is the failure of all, which is said as such. */
static void warn_of_unknown(struct comparison *comparison)
{
    const struct error *unknown = &comparison->unknown;
    struct warnings *warnings = &comparison->warnings;
    const char *text = arena_format(&warnings->arena, "which functions changed is not known: %s%s%s",
                                    unknown->message, unknown->hint[0] ? "; " : "", unknown->hint);

    if (comparison->settings->has_event)
        *vec_add(&warnings->items) = text;
    else
        warnings_add(warnings, comparison->options, "%s", text);
}

/* What was measured is told all the same when the system does not let us look at programs. */
static void add_functions(struct comparison *comparison)
{
    const struct options *options = comparison->options;
    struct compared_functions *functions = &comparison->functions;
    struct error *unknown = &comparison->unknown;
    const struct compared_functions_request request = {
        .options = options,
        .timing = comparison->request,
        .figures = &comparison->figures,
        .pair_seconds = (double)comparison->timings.pair_ns / 1e9,
        .sampling = comparison->settings->sampling,
        .warnings = &comparison->warnings,
    };

    if (!comparison->settings->profiles || comparison->timings.signal)
        return;
    if (!options_has(options, "quiet"))
        command_status(options, "Profiling", "both, for the functions that changed");
    if (compared_functions_find(&request, functions, unknown) < 0) {
        warn_of_unknown(comparison);
        return;
    }
    if (functions->profiles.interrupt)
        warnings_add(&comparison->warnings, options, "ended early: which functions changed is not known");
    if (functions->profiles.is_denied_kernel && !options_has(options, "quiet"))
        command_note(options,
                     "the kernel's own time is not in the profiles: that takes kernel.perf_event_paranoid 1");
    if (!functions->has_changes)
        return;
    add_event(comparison);
    comparison->rows.beside = &functions->rows;
    for (size_t i = 0; i < functions->rows.label_count; i++) {
        const struct rows_label *label = &functions->rows.labels[i];

        if (strcmp(label->key, "measure") == 0 || strcmp(label->key, "sampled") == 0)
            rows_add_label(&comparison->rows, label->key, label->text);
    }
}

static int write_results(const struct comparison *comparison, struct rows *rows, struct error *err)
{
    int exported = write_exports(comparison, err);
    int written = compare_settings_write(comparison->options, &comparison->settings->outputs, rows, err);

    return exported < 0 || written < 0 ? -1 : 0;
}

static int report(struct comparison *comparison, int *exit_code, struct error *err)
{
    struct rows *rows = &comparison->rows;

    figures_compute(&comparison->timings, comparison->settings->confidence, &comparison->figures);
    figure_rows_fill(&comparison->figures, comparison->request->programs, rows);
    rows->how_to_see_all = "--top 0 shows all";
    rows->warnings = &comparison->warnings;
    warn_of_doubts(comparison);
    add_functions(comparison);
    if (write_results(comparison, rows, err) < 0)
        return -1;
    if (comparison->functions.profiles.interrupt)
        *exit_code = EXIT_CODE_OF_SIGNAL + comparison->functions.profiles.interrupt;
    if (comparison->timings.signal) {
        *exit_code = EXIT_CODE_OF_SIGNAL + comparison->timings.signal;
        return 0;
    }
    if (comparison->settings->has_event && comparison->unknown.kind != ERROR_NONE) {
        *err = comparison->unknown;
        return error_wrap(err, "--event %s", options_value(comparison->options, "event"));
    }
    return check_limits(comparison, err);
}

static int measure(struct comparison *comparison, int *exit_code, struct error *err)
{
    if (timing_run(comparison->request, &comparison->timings, err) < 0)
        return -1;
    if (comparison->timings.runs[TIMING_BEFORE].count > 0)
        return report(comparison, exit_code, err);
    error_record(err, ERROR_CHILD, "ended by a signal before one run of each was complete");
    err->exit_code = EXIT_CODE_OF_SIGNAL + comparison->timings.signal;
    return -1;
}

static void say_what_runs(const struct options *options, const struct timing_request *request)
{
    SCOPED(text_done) struct text what = {0};

    if (options_has(options, "quiet"))
        return;
    text_format(&what, "%s and %s in turn", request->programs[TIMING_BEFORE].label,
                request->programs[TIMING_AFTER].label);
    command_status(options, "Measuring", text_string(&what));
}

/* --- The head alone -------------------------------------------------------------------- */

static int tell_head(const struct options *options, const struct compare_settings *settings,
                     const struct timing_request *request, const struct timings *timings, struct error *err)
{
    SCOPED(rows_done) struct rows rows = {0};

    if (timings->runs[TIMING_AFTER].count == 0)
        return error_set(err, ERROR_CHILD, "ended by a signal before one run was complete");
    figure_rows_fill_alone(timings->runs[TIMING_AFTER].items, timings->runs[TIMING_AFTER].count,
                           &request->programs[TIMING_AFTER], &rows);
    return compare_settings_write(options, &settings->outputs, &rows, err);
}

static int measure_head(const struct options *options, const struct compare_settings *settings,
                        const struct compared *compared, struct error *err)
{
    SCOPED(timings_done) struct timings timings = {0};
    struct timing_request request;

    fill_request(settings, compared, &request);
    if (!options_has(options, "quiet"))
        command_status(options, "Measuring", request.programs[TIMING_AFTER].label);
    return timing_run(&request, &timings, err) < 0 ? -1
                                                   : tell_head(options, settings, &request, &timings, err);
}

/* The base cannot be built, which is the result: of the head is told what can be, whatever comes of that. */
static int tell_without_base(const struct options *options, const struct compare_settings *settings,
                             const struct compared *compared, struct error *err)
{
    struct error other = {0};

    if (compared->sides[TIMING_BEFORE].kind == COMPARED_COMMAND || !compared->sides[TIMING_AFTER].launch.argv)
        return -1;
    if (measure_head(options, settings, compared, &other) < 0)
        command_warn(options, "%s", other.message);
    return error_wrap(err, "no comparison");
}

int cmd_compare(const struct options *options, int *exit_code, struct error *err)
{
    SCOPED(compare_settings_done) struct compare_settings settings = {0};
    SCOPED(compared_done) struct compared compared = {0};
    struct compared_request ready = {.options = options};
    struct timing_request request;
    SCOPED(comparison_done)
    struct comparison comparison = {.options = options, .settings = &settings, .request = &request};

    if (owner_become_caller(err) < 0 || compare_settings_read(options, &settings, err) < 0)
        return -1;
    if (options_has(options, "baseline"))
        return compare_criterion(options, &settings, exit_code, err);
    ready.rule = settings.rule;
    if (compared_read(options, options->positionals.items, options->positionals.count, &compared, err) < 0)
        return -1;
    warn_of_input(options);
    if (compared_make_ready(&ready, &compared, err) < 0)
        return tell_without_base(options, &settings, &compared, err);
    warn_of_builds(options, &compared, &comparison.warnings);
    note_harness(options, &compared);
    fill_request(&settings, &compared, &request);
    say_what_runs(options, &request);
    return measure(&comparison, exit_code, err);
}
