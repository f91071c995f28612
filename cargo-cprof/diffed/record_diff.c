#include "diffed/record_diff.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "compare/build_facts.h"
#include "compare/side.h"
#include "delta/delta_rows.h"
#include "diffed/diff.h"
#include "diffed/other_events.h"
#include "facts/profile_facts.h"
#include "files/input_options.h"
#include "files/outputs.h"
#include "record/record_warnings.h"
#include "sampler/perf/event_name.h"
#include "target/interrupts.h"
#include "target/standard_input.h"
#include "view/group_rows.h"

/* A head that nothing was built for. */
#define THIS_RUN "this run"

static const struct option_spec record_specs[] = {
    {"diff", 0, OPTION_VALUE, "BASE",
     "Show what changed since BASE: a profile (.cprof, perf.data, folded stacks, pprof's), or a revision to "
     "build and "
     "run "
     "likewise "
     "(main, HEAD~3, A..B, A...B)",
     NULL, NULL},
    {"rev", 0, OPTION_VALUE, "REV", "Look at this revision instead of the working tree", NULL, NULL},
};

const struct option_table record_base_options = {"Before and after", record_specs, ARRAY_COUNT(record_specs)};

static const struct option_spec exec_specs[] = {
    {"diff", 0, OPTION_VALUE, "BASE",
     "Show what changed since BASE: a profile (.cprof, perf.data, folded stacks, pprof's)", NULL, NULL},
};

const struct option_table exec_base_options = {"Before and after", exec_specs, ARRAY_COUNT(exec_specs)};

void recorded_done(struct recorded *recorded)
{
    collection_done(&recorded->collection);
    rows_done(&recorded->facts);
}

/* Whether the form builds, so that a revision can be what is compared with. */
static bool can_build(const struct options *options)
{
    return command_find_option(options->command, "rev") != NULL;
}

int record_diff_read(const struct options *options, bool *is_wanted, struct error *err)
{
    bool is_compared = options_has(options, "diff");

    *is_wanted = is_compared || (can_build(options) && options_has(options, "rev"));
    return is_compared ? 0 : diff_check_unused(options, err);
}

/* Both sides while they are made. */
struct comparison {
    struct sides sides;
    struct recorded head;
    struct recorded base;
    struct profile saved; /* the base's, when it was read */
    const char *event;    /* that is compared; NULL: CPU time */
    struct diff_settings settings;
    struct warnings warnings;
    struct standard_input input; /* that both sides' programs have */
};

static void comparison_done(struct comparison *comparison)
{
    sides_done(&comparison->sides);
    recorded_done(&comparison->head);
    recorded_done(&comparison->base);
    profile_done(&comparison->saved);
    diff_settings_done(&comparison->settings);
    warnings_done(&comparison->warnings);
}

/* --- Recording ----------------------------------------------------------------------------------- */

static void say_what_runs(const struct options *options, const struct side *side)
{
    if (!options_has(options, "quiet"))
        command_status(options, "Recording", side->label);
}

/* A program that fails may have done less than it does otherwise: one of a revision as it found no file. */
static void warn_of_exit(const struct options *options, const struct comparison *comparison,
                         const struct side *side, const struct recorded *recorded, struct warnings *warnings)
{
    bool alone = side == &comparison->sides.base && comparison->head.collection.exit_code == 0;

    if (recorded->collection.exit_code != 0)
        warnings_add(
            warnings, options, "%s: the program ended with %d%s", side->label, recorded->collection.exit_code,
            alone ? "; it ran in its own checkout, which has no files but git's, and where ../ leads "
                    "elsewhere: paths from / are the same for both, and cargo cprof compare runs both "
                    "in this folder"
                  : "");
}

static int record_side(const struct record_diff_request *request, struct comparison *comparison,
                       struct side *side, struct recorded *out, struct error *err)
{
    struct sides *sides = &comparison->sides;
    struct revision_notes notes = {0};
    int recorded = -1;

    if (sides->has_base)
        say_what_runs(request->options, side);
    if (side_enter(sides, side, request->options, &notes, err) == 0) {
        for (size_t i = 0; i < notes.items.count; i++)
            warnings_add(&comparison->warnings, request->options, "%s: %s", side->label,
                         notes.items.items[i]);
        recorded = request->record(request->context, &side->options, out, err);
    }
    vec_done(&notes.items);
    side_leave(side);
    if (recorded < 0)
        return side->kind == SIDE_REVISION ? error_wrap(err, "%s", side->label) : -1;
    warn_of_exit(request->options, comparison, side, out, &comparison->warnings);
    return 0;
}

/* --- The base ------------------------------------------------------------------------------------ */

static int read_saved(const struct options *options, const struct side *side, struct profile *out,
                      struct error *err)
{
    const char *path = side->options.positionals.count ? side->options.positionals.items[0] : NULL;

    if (side->kind != SIDE_FILES || !path) {
        error_hint(err, "record it with -o FILE.cprof");
        return error_set(err, ERROR_USAGE, "--diff %s: not a profile", side->label);
    }
    if (input_open_whole(options, path, out, err) == 0)
        return 0;
    if (strcmp(path, "-") != 0 && access(path, F_OK) < 0)
        error_hint(
            err,
            "--diff takes a profile here, recorded with -o FILE.cprof; revisions are compared with what "
            "is built: cargo cprof --diff %s",
            path);
    return -1;
}

/*
 * Which event is asked for, or NULL. Of the heap's, which come together, the first: the peak; beside CPU time
 * (--off-cpu) waits. Others are for recordings that are kept.
 */
static int find_event(const struct record_diff_request *request, const char **out, struct error *err)
{
    const struct sampler_request *sampling = &request->settings->recording.session.sampling;

    *out = sampling->event_count > 0 ? sampling->events[0].name : NULL;
    for (size_t i = 0; i < sampling->event_count && sampling->event_count > 1; i++) {
        if (!sampling->events[i].heap && !sampling->events[i].is_waits)
            continue;
        *out = sampling->events[i].name;
        return 0;
    }
    if (sampling->event_count < 2)
        return 0;
    error_hint(err,
               "record both sides with -o FILE.cprof, and compare each event: cargo cprof diff A.cprof "
               "B.cprof --event %s",
               sampling->events[1].name);
    return error_set(err, ERROR_USAGE, "--diff compares one event, and --event names %zu",
                     sampling->event_count);
}

/* Time is compared with time, whatever clock told it, and is what is recorded unless an event is named
 * (`event` empty). */
static bool is_compared(const struct profile *base, uint32_t series, struct slice event)
{
    const struct profile_series *of = &base->series.items[series];
    struct slice name = profile_text(base, of->event);
    bool is_time = slice_is(profile_text(base, of->unit), "ns");

    if (joined_is_folded(&(struct joined_part){base, series}))
        return true;
    if (event.length == 0)
        return is_time || slice_is(name, "cycles");
    return event_name_is_same(name, event) ||
           (is_time && (slice_is(event, "cpu-clock") || slice_is(event, "task-clock")));
}

/* Before anything is run, whether the base has what will be recorded. */
static int check_saved(const struct comparison *comparison, const char *event, struct error *err)
{
    const struct profile *base = &comparison->saved;
    SCOPED(text_done) struct text others = {0};

    for (uint32_t i = 0; i < base->series.count; i++) {
        if (is_compared(base, i, slice_of(event)))
            return measure_check_samples(&(struct joined_part){base, i}, comparison->sides.base.label, err);
        text_add_string(&others, others.length ? ", " : "");
        text_add_terminal(&others, profile_text(base, base->series.items[i].event));
    }
    error_hint(err, "-e NAME records what is there: %s", text_string(&others));
    return error_set(err, ERROR_USAGE, "--diff %s: %s was not recorded there", comparison->sides.base.label,
                     event ? event : "CPU time");
}

/* The head's samples that are compared; `event` is the one asked for. */
static uint32_t series_of_event(const struct profile *head, const char *event)
{
    for (uint32_t i = 0; event && i < head->series.count; i++)
        if (slice_is(profile_text(head, head->series.items[i].event), event))
            return i;
    return 0;
}

/* The base's samples of the event that the head has. */
static uint32_t series_like(const struct profile *base, const struct profile *head, uint32_t series)
{
    struct slice event = profile_text(head, head->series.items[series].event);

    for (uint32_t i = 0; i < base->series.count; i++)
        if (event_name_is_same(profile_text(base, base->series.items[i].event), event))
            return i;
    for (uint32_t i = 0; i < base->series.count; i++)
        if (is_compared(base, i, event))
            return i;
    return 0;
}

static void go_on(int signal_number)
{
    (void)signal_number;
}

/*
 * Ctrl-C while cargo builds the base ends cargo, which the terminal tells too, and not us: the head's profile
 * would be gone. Programs do not inherit a handler, but what is ignored.
 */
static int record_base(const struct record_diff_request *request, struct comparison *comparison,
                       struct error *err)
{
    const struct sigaction ours = {.sa_handler = go_on, .sa_flags = SA_RESTART};
    struct sigaction usual;
    int recorded = 0;

    sigaction(SIGINT, NULL, &usual);
    if (usual.sa_handler != SIG_IGN)
        sigaction(SIGINT, &ours, NULL);
    recorded = record_side(request, comparison, &comparison->sides.base, &comparison->base, err);
    sigaction(SIGINT, &usual, NULL);
    return recorded;
}

/* The base's profile, recorded now unless it was read. */
static int make_base(const struct record_diff_request *request, struct comparison *comparison,
                     const struct profile **out, struct error *err)
{
    bool is_recorded = comparison->sides.base.kind == SIDE_REVISION;

    *out = is_recorded ? &comparison->base.collection.profile : &comparison->saved;
    standard_input_rewind(&comparison->input);
    return is_recorded ? record_base(request, comparison, err) : 0;
}

/* What makes the two sides differ beside the code. */
static void warn_of_builds(const struct options *options, struct comparison *comparison)
{
    SCOPED(text_done) struct text differing = {0};

    build_facts_compare(
        &comparison->base.facts, &comparison->head.facts,
        revision_locks_are_code(&comparison->sides.base.revision, &comparison->sides.head.revision),
        &differing);
    if (differing.length > 0)
        warnings_add(&comparison->warnings, options, "%s against %s: %s", comparison->sides.head.label,
                     comparison->sides.base.label, text_string(&differing));
}

/* --- All of it ----------------------------------------------------------------------------------- */

/* What was recorded of the head alone. */
static int tell_head(const struct record_diff_request *request, struct comparison *comparison, int *exit_code,
                     struct error *err)
{
    struct record_request head = {
        .options = request->options,
        .settings = request->settings,
        .filter = comparison->head.filter,
        .how_longer = comparison->head.how_longer,
    };

    return record_tell(&head, &comparison->head.collection, exit_code, err);
}

/* Whether the option names a file for a table, and so for that of a comparison. */
static bool is_table(const struct option_use *use)
{
    enum render_format format = RENDER_TABLE;

    return strcmp(use->spec->name, "output") == 0 && render_format_of_name(use->value, &format);
}

/* A file that an earlier comparison left would be taken for this one's: it gets the head's functions. */
static int write_head_tables(const struct record_diff_request *request, struct comparison *comparison,
                             const char *why, struct error *err)
{
    SCOPED(options_done) struct options files = {.command = request->options->command};
    SCOPED(rows_done) struct rows rows = {0};
    struct profile *profile = &comparison->head.collection.profile;
    struct grouping grouping = {0};
    struct outputs outputs = comparison->settings.outputs;

    for (size_t i = 0; i < request->options->uses.count; i++)
        if (is_table(&request->options->uses.items[i]))
            *vec_add(&files.uses) = request->options->uses.items[i];
    if (files.uses.count == 0)
        return 0;
    outputs.options = &files;
    outputs.forms = NULL;
    outputs.place = OUTPUTS_NOWHERE;
    if (grouping_read_keys(SLICE("function"), &grouping, err) < 0 ||
        group_rows_fill(profile, 0, &grouping, &rows, err) < 0)
        return -1;
    profile_facts_add(profile, 0, &rows);
    delta_rows_tell_none(&rows, comparison->sides.head.label, why);
    return outputs_write(&outputs, &rows, NULL, err);
}

/* The base has failed: of the head is told what can be, whatever comes of that. */
static int tell_without_base(const struct record_diff_request *request, struct comparison *comparison,
                             struct error *err)
{
    SCOPED(options_done) struct options options = {.command = request->options->command};
    struct record_request head = {
        .options = &options,
        .settings = request->settings,
        .filter = comparison->head.filter,
        .how_longer = comparison->head.how_longer,
    };
    struct error other = {0};
    int exit_code = 0;

    /* Files for the table of a comparison are none for a profile, whatever else their names mean there. */
    for (size_t i = 0; i < request->options->uses.count; i++)
        if (!is_table(&request->options->uses.items[i]))
            *vec_add(&options.uses) = request->options->uses.items[i];
    head.writes_nothing = options_has(request->options, "output") && !options_has(&options, "output");
    if (record_tell(&head, &comparison->head.collection, &exit_code, &other) < 0)
        command_warn(request->options, "%s", other.message);
    other = (struct error){0};
    if (write_head_tables(request, comparison, err->message, &other) < 0)
        command_warn(request->options, "%s", other.message);
    return error_wrap(err, "no comparison");
}

/* Who ends the head's run means all of it. */
static int end_early(const struct record_diff_request *request, struct comparison *comparison,
                     struct error *err)
{
    int exit_code = comparison->head.collection.exit_code;

    error_record(err, ERROR_CHILD, "ended early: %s was not run", comparison->sides.base.label);
    err->exit_code = exit_code ? exit_code : EXIT_CODE_OF_SIGNAL + comparison->head.collection.interrupt;
    return tell_without_base(request, comparison, err);
}

/* The exit code of all: the head's program's, or that a signal ended it before the base's end. */
static int exit_code_of(const struct record_diff_request *request, const struct comparison *comparison)
{
    if (comparison->base.collection.interrupt)
        return EXIT_CODE_OF_SIGNAL + comparison->base.collection.interrupt;
    return request->settings->recording.ignores_status ? 0 : comparison->head.collection.exit_code;
}

static int compare(const struct record_diff_request *request, struct comparison *comparison, int *exit_code,
                   struct error *err)
{
    const struct collection *head = &comparison->head.collection;
    const struct profile *base = NULL;
    struct joined_part parts[JOINED_SIDES] = {
        [JOINED_AFTER] = {&head->profile, series_of_event(&head->profile, comparison->event)}};
    struct measure measure;
    struct change_words words = {comparison->sides.base.label, comparison->sides.head.label};

    if (head->interrupt && comparison->sides.base.kind == SIDE_REVISION)
        return end_early(request, comparison, err);
    if (make_base(request, comparison, &base, err) < 0)
        return tell_without_base(request, comparison, err);
    parts[JOINED_BEFORE] =
        (struct joined_part){base, series_like(base, &head->profile, parts[JOINED_AFTER].series)};
    if (diff_measure(&comparison->settings, parts, &words, &measure, err) < 0)
        return tell_without_base(request, comparison, err);
    warn_of_builds(request->options, comparison);
    if (comparison->base.collection.interrupt)
        warnings_add(&comparison->warnings, request->options,
                     "ended early: compared is what %s had done until then", comparison->sides.base.label);
    comparison->settings.note = other_events_note(&comparison->settings.arena, parts, "-e");
    if (diff_run(&comparison->settings, parts, &words, err) < 0)
        return -1;
    record_show_picture(request->options);
    *exit_code = exit_code_of(request, comparison);
    return 0;
}

/* Where nothing is built, the base is a profile. */
static void name_sides(const struct options *options, struct sides *out)
{
    const char *path = options_value(options, "diff");

    out->head.label = THIS_RUN;
    out->base.kind = SIDE_FILES;
    out->base.label = path;
    *vec_add(&out->base.options.positionals) = path;
    out->has_base = true;
}

static int read_sides(const struct record_diff_request *request, struct sides *out, struct error *err)
{
    static const char *const none[] = {NULL};
    struct sides_request sides = {.options = request->options, .not_for_files = none};

    if (!can_build(request->options)) {
        name_sides(request->options, out);
        return 0;
    }
    if (sides_read(&sides, out, err) < 0)
        return -1;
    if (!recording_watches(&request->settings->recording))
        return 0;
    if (out->head.kind == SIDE_REVISION || out->base.kind == SIDE_REVISION)
        return error_set(err, ERROR_USAGE,
                         "what runs already is of no revision: --diff takes a profile here");
    out->head.label = THIS_RUN;
    return 0;
}

/* Before anything is built: what is wrong with the command line. */
static int read_settings(const struct record_diff_request *request, struct comparison *comparison,
                         struct error *err)
{
    struct diff_settings *settings = &comparison->settings;

    if (read_sides(request, &comparison->sides, err) < 0)
        return -1;
    if (!comparison->sides.has_base)
        return outputs_check(request->options, err);
    if (!options_has(request->options, "output") && outputs_check_usual(err) < 0)
        return -1;
    if (find_event(request, &comparison->event, err) < 0 ||
        diff_settings_read(request->options, settings, err) < 0 ||
        (comparison->sides.base.kind != SIDE_REVISION &&
         (read_saved(request->options, &comparison->sides.base, &comparison->saved, err) < 0 ||
          check_saved(comparison, comparison->event, err) < 0)))
        return -1;
    settings->warnings = &comparison->warnings;
    settings->outputs.place = options_has(request->options, "quiet") ? OUTPUTS_NOWHERE : OUTPUTS_STDERR;
    if (!options_has(request->options, "output"))
        settings->picture = OUTPUTS_USUAL;
    return 0;
}

int record_diff_run(const struct record_diff_request *request, int *exit_code, struct error *err)
{
    SCOPED(comparison_done) struct comparison comparison = {0};

    comparison.input = standard_input_now();
    if (read_settings(request, &comparison, err) < 0)
        return -1;
    if (comparison.sides.base.kind == SIDE_REVISION)
        record_warn_of_input(request->options);
    if (record_side(request, &comparison, &comparison.sides.head, &comparison.head, err) < 0)
        return -1;
    return comparison.sides.has_base ? compare(request, &comparison, exit_code, err)
                                     : tell_head(request, &comparison, exit_code, err);
}
