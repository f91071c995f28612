#include "compared/compare_settings.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/file.h"
#include "cargo/output_check.h"
#include "cli/command.h"
#include "cli/real_options.h"
#include "delta/limit.h"
#include "record/event_list.h"
#include "sampler/perf/event_choices.h"

enum { USUAL_TOP = 10, USUAL_LEAST_RUNS = 10, MOST_RUNS = 1000000, FREQUENCY_HZ = 997 };

static const char *const unit_names[] = {"second", "millisecond", "microsecond", NULL};

static const struct option_spec timing_specs[] = {
    {"runs", 0, OPTION_VALUE, "NUM", "Run each exactly NUM times", NULL, NULL},
    {"min-runs", 'm', OPTION_VALUE, "NUM",
     "Run each NUM times or more; 10 unless given, and as many as fit into 6 seconds", NULL, NULL},
    {"max-runs", 'M', OPTION_VALUE, "NUM", "Run each NUM times at most", NULL, NULL},
    {"warmup", 'w', OPTION_VALUE, "NUM", "Run each NUM times before the runs that count", NULL, NULL},
    {"confidence", 0, OPTION_VALUE, "PERCENT", "Confidence of the intervals; 95 unless given", NULL, NULL},
    {"fail-over", 0, OPTION_MANY, "LIMIT",
     "End with 3 when the second takes more time by so much, beyond noise, that is when all of the interval "
     "does: 5%, 5 or elapsed=5%; or more of another figure: cpu=5%, user=, system=, memory=, event=",
     NULL, NULL},
    {"event", 'e', OPTION_VALUE, "EVENT",
     "Compare this event, and which functions have more or less of it: heap-peak, alloc-count, off-cpu, "
     "page-faults and so on, as cargo cprof -e records them; CPU time unless given",
     event_choices, NULL},
    {"no-profile", 0, OPTION_FLAG, NULL, "Measure only; do not look at which functions changed", NULL, NULL},
};

static const struct option_spec command_specs[] = {
    {"setup", 's', OPTION_VALUE, "COMMAND", "Run it once, before all runs", NULL, NULL},
    {"prepare", 0, OPTION_MANY, "COMMAND",
     "Run it before each run; given twice, the first is for the first side", NULL, NULL},
    {"conclude", 'C', OPTION_MANY, "COMMAND", "Run it after each run; likewise", NULL, NULL},
    {"cleanup", 'c', OPTION_VALUE, "COMMAND", "Run it once, after all runs", NULL, NULL},
    {"ignore-failure", 'i', OPTION_FLAG, NULL, "Measure programs that fail, too", NULL, NULL},
    {"shell", 'S', OPTION_VALUE, "SHELL",
     "Have SHELL run the commands, whose start is then part of the time; none unless given", NULL, NULL},
    {"no-shell", 'N', OPTION_FLAG, NULL, "Take what would mean something to a shell as it is", NULL, NULL},
    {"input", 0, OPTION_VALUE, "FILE", "What the programs read from standard input; nothing unless given",
     NULL, NULL},
    {"show-output", 0, OPTION_FLAG, NULL, "Show what the programs write, on standard error", NULL, NULL},
    {"command-name", 'n', OPTION_MANY, "NAME", "Call the first side NAME; given again, the second", NULL,
     NULL},
};

static const struct option_spec criterion_specs[] = {
    {"baseline", 'b', OPTION_VALUE, "NAME",
     "Compare what Criterion keeps under NAME (cargo bench -- --save-baseline NAME) with its last run; with "
     "--bench profile what changed, against the revision A, else the one that is called NAME",
     NULL, NULL},
    {"load-baseline", 0, OPTION_VALUE, "NAME", "Compare with this baseline, not with the last run", NULL,
     NULL},
    {"profile-time", 0, OPTION_VALUE, "SECONDS",
     "Profile each side of a benchmark so long, in 5 to 10 runs, below 5 in one; 5 unless given", NULL, NULL},
    {"filter", 0, OPTION_VALUE, "REGEXP", "Only benchmarks whose name matches", NULL, NULL},
};

static const struct option_spec output_specs[] = {
    {"top", 0, OPTION_VALUE, "NUM", "Functions to show; 0 shows all. 10 unless given", NULL, NULL},
    {"wide", 0, OPTION_FLAG, NULL, "Do not cut names to the terminal's width", NULL, NULL},
    {"format", 0, OPTION_VALUE, "FORMAT", "Shape of the result", render_format_names, NULL},
    {"output", 'o', OPTION_MANY, "FILE",
     "Write the result to FILE too, in the format its name asks for: .json, .csv, .md or .txt", NULL, NULL},
    {"export-json", 0, OPTION_MANY, "FILE",
     "Write the times of all runs to FILE, as hyperfine does; - is standard output", NULL, NULL},
    {"export-csv", 0, OPTION_MANY, "FILE", "Write the summary to FILE, as hyperfine does", NULL, NULL},
    {"export-markdown", 0, OPTION_MANY, "FILE", "The same as a table in Markdown", NULL, NULL},
    {"time-unit", 'u', OPTION_VALUE, "UNIT", "Unit of times in --export-markdown", unit_names, NULL},
};

const struct option_table compare_timing_options = {"Timing", timing_specs, ARRAY_COUNT(timing_specs)};
const struct option_table compare_command_options = {"Commands", command_specs, ARRAY_COUNT(command_specs)};
const struct option_table compare_criterion_options = {"Criterion's benchmarks", criterion_specs,
                                                       ARRAY_COUNT(criterion_specs)};
const struct option_table compare_output_options = {"Output", output_specs, ARRAY_COUNT(output_specs)};

/* --- Timing ---------------------------------------------------------------------------- */

static int read_count(const struct options *options, const char *name, uint64_t otherwise, size_t *out,
                      struct error *err)
{
    uint64_t count = 0;

    if (options_number(options, name, otherwise, &count, err) < 0)
        return -1;
    if (count > MOST_RUNS)
        return error_set(err, ERROR_USAGE, "--%s %s: at most %d", name, options_value(options, name),
                         MOST_RUNS);
    *out = (size_t)count;
    return 0;
}

static int read_runs(const struct options *options, struct timing_plan *out, struct error *err)
{
    bool is_exact = options_has(options, "runs");

    if (is_exact && (options_has(options, "min-runs") || options_has(options, "max-runs")))
        return error_set(err, ERROR_USAGE, "--runs says exactly how many, --min-runs and --max-runs do not");
    if (read_count(options, "warmup", 0, &out->warmup_runs, err) < 0 ||
        read_count(options, is_exact ? "runs" : "min-runs", USUAL_LEAST_RUNS, &out->least_runs, err) < 0 ||
        read_count(options, is_exact ? "runs" : "max-runs", MOST_RUNS, &out->most_runs, err) < 0)
        return -1;
    if (!options_has(options, "min-runs") && out->most_runs < out->least_runs)
        out->least_runs = out->most_runs;
    if (out->least_runs == 0 || out->most_runs < out->least_runs)
        return error_set(err, ERROR_USAGE, "%s",
                         out->least_runs == 0 ? "no run tells nothing: 1 or more, and better 10"
                                              : "--max-runs is less than --min-runs");
    return 0;
}

/* A plain number is a percentage, too. */
static int read_limit(const char *typed, struct compare_limit *out, struct error *err)
{
    static const char *const figures[] = {"elapsed", "cpu", "user", "system", "memory", "event"};
    struct limit limit;
    size_t figure = FIGURE_ELAPSED;
    bool is_limit = limit_read(slice_of(typed), &limit) && limit.name.length == 0 &&
                    (limit.unit == LIMIT_PERCENT || limit.unit == LIMIT_PLAIN);

    if (is_limit && limit.subject.length > 0)
        while (figure < ARRAY_COUNT(figures) && !slice_is(limit.subject, figures[figure]))
            figure++;
    if (!is_limit || figure == ARRAY_COUNT(figures))
        return limit_refuse(slice_of(typed), "--fail-over",
                            "5% or elapsed=5% (of the elapsed time), cpu=5%, user=5%, system=5%, memory=5% "
                            "and, with --event, event=5%",
                            err);
    *out =
        (struct compare_limit){.text = typed, .figure = (enum figure_kind)figure, .part = limit.amount / 100};
    return 0;
}

/* Events of time are how functions are found: the time itself is measured without a profiler. */
static int check_event_limit(const struct compare_settings *settings, const struct compare_limit *limit,
                             struct error *err)
{
    const struct sampler_event_kind *event = settings->sampling.events;

    if (!settings->has_event)
        return error_set(err, ERROR_USAGE, "--fail-over %s: --event EVENT says which", limit->text);
    if (!event_is_of_time(event))
        return 0;
    error_hint(err, "--fail-over cpu=5%% is of CPU time as it was measured");
    return error_set(err, ERROR_USAGE, "--fail-over %s: %s is time", limit->text, event->name);
}

static int read_limits(const struct options *options, struct compare_settings *out, struct error *err)
{
    for (size_t i = 0; i < options->uses.count; i++) {
        struct compare_limit limit;

        if (strcmp(options->uses.items[i].spec->name, "fail-over") != 0)
            continue;
        if (read_limit(options->uses.items[i].value, &limit, err) < 0)
            return -1;
        *vec_add(&out->limits) = limit;
    }
    for (size_t i = 0; i < out->limits.count; i++)
        if (out->limits.items[i].figure == FIGURE_COUNT &&
            check_event_limit(out, &out->limits.items[i], err) < 0)
            return -1;
    if (out->limits.count > 0 && out->plan.most_runs == 1)
        return error_set(err, ERROR_USAGE,
                         "--fail-over %s: one run of each has no interval: 2 or more, and better 10",
                         out->limits.items[0].text);
    out->confidence = 0.95;
    if (options_percent(options, "confidence", &out->confidence, err) < 0)
        return -1;
    /* Nobody wants an interval that is wrong more often than right; 0.95 is how others write 95. */
    if (!(out->confidence >= 0.5 && out->confidence < 1)) {
        error_hint(err, "it is in percent: --confidence 95");
        return error_set(err, ERROR_USAGE, "--confidence %s: at least 50 and less than 100",
                         options_value(options, "confidence"));
    }
    return 0;
}

/* What is profiled: one event, the usual one unless another is named. */
static int read_event(const struct options *options, struct compare_settings *out, struct error *err)
{
    const char *typed = options_value(options, "event");

    out->sampling.frequency_hz = FREQUENCY_HZ;
    if (!typed)
        return 0;
    if (!out->profiles)
        return error_set(err, ERROR_USAGE,
                         "--event %s is looked for in profiles, and --no-profile makes none", typed);
    if (event_list_add(&out->arena, &out->sampling, slice_of(typed), err) < 0)
        return -1;
    out->has_event = true;
    if (out->sampling.event_count == 1)
        return 0;
    error_hint(err, "--event %s", out->sampling.events[0].name);
    return error_set(err, ERROR_USAGE, "--event %s: one event is compared, and these are %zu", typed,
                     out->sampling.event_count);
}

/* --- Commands -------------------------------------------------------------------------- */

static void read_rule(const struct options *options, struct compare_settings *out)
{
    const char *shell = options_value(options, "shell");
    bool is_none = shell && strcmp(shell, "none") == 0;

    out->rule.words = is_none || options_has(options, "no-shell") ? WORDS_LITERAL : WORDS_PLAIN;
    out->rule.shell = is_none ? NULL : shell && strcmp(shell, "default") == 0 ? "sh" : shell;
}

/* The values of an option that may be given once for each side, or once for both. */
static int read_pair(const struct options *options, const char *name, const char *out[TIMING_SIDES],
                     struct error *err)
{
    size_t count = 0;

    if (options_count(options, name) > TIMING_SIDES)
        return error_set(err, ERROR_USAGE, "--%s is given more than twice", name);
    for (size_t i = 0; i < options->uses.count; i++)
        if (strcmp(options->uses.items[i].spec->name, name) == 0)
            out[count++] = options->uses.items[i].value;
    return 0;
}

static int read_command(struct compare_settings *settings, const char *name, const char *command,
                        const char *const **out, struct error *err)
{
    if (!command)
        return 0;
    return command_split(&settings->arena, command, &settings->rule, out, err) < 0
               ? error_wrap(err, "--%s", name)
               : 0;
}

static int read_pair_of_commands(const struct options *options, const char *name,
                                 struct compare_settings *settings, const char *const *out[TIMING_SIDES],
                                 struct error *err)
{
    const char *commands[TIMING_SIDES] = {NULL};

    if (read_pair(options, name, commands, err) < 0)
        return -1;
    if (!commands[TIMING_AFTER])
        commands[TIMING_AFTER] = commands[TIMING_BEFORE];
    for (size_t i = 0; i < TIMING_SIDES; i++)
        if (read_command(settings, name, commands[i], &out[i], err) < 0)
            return -1;
    return 0;
}

static int read_input(const struct options *options, struct compare_settings *out, struct error *err)
{
    const char *input = options_value(options, "input");
    char path[PATH_MAX];

    if (!input || strcmp(input, "null") == 0)
        input = "/dev/null";
    /* Programs may run in other folders. */
    if (!realpath(input, path))
        return error_set(err, ERROR_IO, "--input %s: %s", input, strerror(errno));
    out->input = arena_copy(&out->arena, slice_of(path));
    return 0;
}

/* A number is what -n takes in other commands. */
static int read_names(const struct options *options, struct compare_settings *out, struct error *err)
{
    if (read_pair(options, "command-name", out->names, err) < 0)
        return -1;
    for (size_t i = 0; i < TIMING_SIDES; i++)
        if (out->names[i] && ascii_is_number(out->names[i])) {
            error_hint(err, "did you mean --top %s?", out->names[i]);
            return error_set(err, ERROR_USAGE, "-n %s: here -n is hyperfine's and names a side",
                             out->names[i]);
        }
    return 0;
}

static int read_commands(const struct options *options, struct compare_settings *out, struct error *err)
{
    if (options_has(options, "no-shell") && options_has(options, "shell"))
        return error_set(err, ERROR_USAGE, "--shell and --no-shell: it is one or the other");
    read_rule(options, out);
    out->plan.ignores_failure = options_has(options, "ignore-failure");
    out->output = options_has(options, "show-output") ? LAUNCH_OUTPUT_AS_ERROR : LAUNCH_OUTPUT_NONE;
    if (read_command(out, "setup", options_value(options, "setup"), &out->plan.setup, err) < 0 ||
        read_command(out, "cleanup", options_value(options, "cleanup"), &out->plan.finish, err) < 0 ||
        read_pair_of_commands(options, "prepare", out, out->prepare, err) < 0 ||
        read_pair_of_commands(options, "conclude", out, out->conclude, err) < 0)
        return -1;
    return read_input(options, out, err) < 0 ? -1 : read_names(options, out, err);
}

/* --- Exports --------------------------------------------------------------------------- */

typedef void export_fn(struct text *text, const struct export_request *request);

static export_fn *export_of(const char *name)
{
    static const struct {
        const char *name;
        export_fn *run;
    } exports[] = {
        {"export-json", export_json}, {"export-csv", export_csv}, {"export-markdown", export_markdown}};

    for (size_t i = 0; i < ARRAY_COUNT(exports); i++)
        if (strcmp(exports[i].name, name) == 0)
            return exports[i].run;
    return NULL;
}

static bool is_standard_output(const char *path)
{
    return strcmp(path, "-") == 0;
}

/* The table gives way to an export that is to be read from standard output. */
static int read_exports(const struct options *options, struct outputs *outputs, struct error *err)
{
    for (size_t i = 0; i < options->uses.count; i++) {
        const struct option_use *use = &options->uses.items[i];

        if (!export_of(use->spec->name))
            continue;
        if (is_standard_output(use->value))
            outputs->place = OUTPUTS_STDERR;
        else if (cargo_check_output(options, use->value, err) < 0)
            return -1;
    }
    return 0;
}

int compare_settings_write(const struct options *options, const struct outputs *outputs, struct rows *rows,
                           struct error *err)
{
    if (outputs_write(outputs, rows, NULL, err) < 0)
        return -1;
    for (size_t i = 0; i < options->uses.count && !options_has(options, "quiet"); i++)
        if (strcmp(options->uses.items[i].spec->name, "output") == 0)
            command_status(options, "Wrote", options->uses.items[i].value);
    return 0;
}

static int write_export(const struct options *options, const char *path, struct slice content,
                        struct error *err)
{
    if (is_standard_output(path))
        return file_write_stdout(content, err);
    if (file_replace(path, content, err) < 0)
        return -1;
    if (!options_has(options, "quiet"))
        command_status(options, "Wrote", path);
    return 0;
}

int compare_settings_export(const struct options *options, const struct export_request *request,
                            struct error *err)
{
    int result = 0;

    for (size_t i = 0; i < options->uses.count; i++) {
        const struct option_use *use = &options->uses.items[i];
        export_fn *run = export_of(use->spec->name);
        SCOPED(text_done) struct text content = {0};
        struct error failure = {0};

        if (!run)
            continue;
        run(&content, request);
        if (write_export(options, use->value, text_slice(&content), &failure) < 0) {
            command_add_failure(options, err, &failure);
            result = -1;
        }
    }
    return result;
}

int compare_settings_read(const struct options *options, struct compare_settings *out, struct error *err)
{
    *out = (struct compare_settings){
        .profiles = !options_has(options, "no-profile"),
        .unit = (enum export_unit)options_choice(options, "time-unit", EXPORT_UNIT_FITTING)};
    if (read_event(options, out, err) < 0 || read_runs(options, &out->plan, err) < 0 ||
        read_limits(options, out, err) < 0 || read_commands(options, out, err) < 0 ||
        outputs_read(options, USUAL_TOP, NULL, &out->outputs, err) < 0 ||
        cargo_check_outputs(options, err) < 0)
        return -1;
    out->outputs.limits_beside = true; /* of functions, not of figures or benchmarks */
    return read_exports(options, &out->outputs, err);
}

void compare_settings_done(struct compare_settings *settings)
{
    vec_done(&settings->limits);
    arena_done(&settings->arena);
}
