#include "cmd_report.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/scan.h"
#include "cargo/output_check.h"
#include "cli/choices.h"
#include "cli/real_options.h"
#include "emit/output.h"
#include "facts/profile_facts.h"
#include "files/heap_warnings.h"
#include "files/input_options.h"
#include "hints/hints.h"
#include "other_tools_tables.h"
#include "report/outputs.h"
#include "sampler/perf/event_choices.h"
#include "symbolize/library_lines.h"
#include "tree/path_tree.h"
#include "tree/tree_rows.h"
#include "view/functions_matching.h"
#include "view/group_rows.h"
#include "view/notes.h"
#include "view/runtime_calls.h"

enum { USUAL_TOP = 20 };

/* What perf calls them is taken too, and several with commas between. */
static const char *const by_names[] = {"function", "module",           "crate", "dso", "file", "line",
                                       "thread",   "process",          "tid",   "pid", "task", "future",
                                       "syscall",  CHOICES_OTHERS_TOO, NULL};

static const struct option_spec report_specs[] = {
    {"event", 'e', OPTION_VALUE, "NAME",
     "The event to show, where several were recorded; the first unless given. off-cpu says that folded"
     " stacks count microseconds of waiting",
     event_choices, NULL},
    {"by", 0, OPTION_VALUE, "GROUPS",
     "Group samples by function, module, crate, dso (the program or library), file, line, thread, process, "
     "tid and pid (each by its number), task (the outermost future), future (the innermost of your own "
     "crates, else the task) or syscall (what the kernel was asked for), or several with commas between; "
     "function unless given",
     by_names, NULL},
    {"sort", 's', OPTION_VALUE, "GROUPS", NULL, NULL, "by"},
    {"children", 0, OPTION_FLAG, NULL, "Order by total: time in the function and what it calls", NULL, NULL},
    {"no-children", 0, OPTION_FLAG, NULL, "Show only the time in the function itself", NULL, NULL},
    {"tree", 0, OPTION_FLAG, NULL, "Show the tree of calls", NULL, NULL},
    {"callers", 0, OPTION_VALUE, "REGEXP",
     "Show who calls the functions whose name matches, and from where; each sample counts for the innermost",
     NULL, NULL},
    {"callees", 0, OPTION_VALUE, "REGEXP", "Show what the functions whose name matches call", NULL, NULL},
    {"fold-runtime", 0, OPTION_FLAG, NULL,
     "Leave out of trees what starts programs and threads or drives tasks: of std, tokio, smol, async-std, "
     "futures, rayon",
     NULL, NULL},
    {"percent-limit", 0, OPTION_VALUE, "PERCENT",
     "Leave out rows below this share of the whole; of trees, unless in JSON or CSV, those below 0.5 unless "
     "given",
     NULL, NULL},
    {"filter", 0, OPTION_VALUE, "REGEXP", "Show only rows that match", NULL, NULL},
    {"crate", 0, OPTION_VALUE, "NAME", "Show only rows of this crate", NULL, NULL},
    {"top", 'n', OPTION_VALUE, "NUM", "Rows to show; 0 shows all. 20 unless given", NULL, NULL},
    {"stdio", 0, OPTION_FLAG, NULL, NULL, NULL, NULL},
    {"stdio-color", 0, OPTION_VALUE, "WHEN", NULL, NULL, "color"},
};

static const struct option_table report_options = {"Report", report_specs, ARRAY_COUNT(report_specs)};

static const struct option_table *const tables[] = {&report_options, &input_options, &outputs_options,
                                                    &command_common_options, NULL};

static const struct option_answer *const answers[] = {report_answers, loaded_answers, NULL};

static const char *const usages[] = {"[OPTIONS] FILE", NULL};

static const struct command_example examples[] = {
    {"cargo cprof report app.cprof", "Functions by time in themselves"},
    {"cargo cprof report app.cprof --by crate", "Which crates the time goes to"},
    {"cargo cprof report app.cprof --callers 'memcpy|memmove'", "Who copies so much"},
    {"cargo cprof report app.cprof --by line --filter parse.rs -n 10", "The ten hottest lines of a file"},
    {"cargo cprof report app.cprof --by task,function",
     "What each task of an async program spends its time in"},
    {"cargo cprof report app.cprof --by thread --time 2..5", "Which threads ran between second 2 and 5"},
    {"cargo cprof report heap.pb.gz --event alloc_space", "What pprof's -sample_index=alloc_space is of"},
};

const struct command cprof_report_command = {
    .name = "cprof",
    .verb = "report",
    .summary = "Tables and trees of what was recorded before",
    .description =
        "Shows what a profile holds: samples in functions themselves (self) and in them with what they "
        "call (total), by function or by whatever else they have in common; the tree of calls; the "
        "callers or callees of some functions.",
    .usages = usages,
    .positional = "FILE",
    .positional_help = "A .cprof file, perf.data, folded stacks or a profile of pprof; - is standard input. "
                       "perf.data in this folder where none is named",
    .runs_nothing = true,
    .tables = tables,
    .answers = answers,
    .examples = examples,
    .example_count = ARRAY_COUNT(examples),
};

/* What the options say. */
struct report_settings {
    struct grouping grouping;
    struct regex *filter;   /* owned */
    struct regex *function; /* owned; of --callers or --callees */
    const char *pattern;    /* that, as typed */
    bool is_tree;
    bool folds_runtime; /* of trees */
    struct path_choice paths;
    struct tree_look look;
    struct outputs outputs;
};

static void settings_done(struct report_settings *settings)
{
    regex_free(settings->filter);
    regex_free(settings->function);
}

static int read_tree(const struct options *options, struct report_settings *out, struct error *err)
{
    bool has_callers = options_has(options, "callers");
    bool has_callees = options_has(options, "callees");
    const char *name = has_callers ? "callers" : "callees";

    if (has_callers + has_callees + options_has(options, "tree") > 1)
        return error_set(err, ERROR_USAGE, "--tree, --callers and --callees show one each: give one of them");
    out->folds_runtime = options_has(options, "fold-runtime");
    out->is_tree = has_callers || has_callees || options_has(options, "tree");
    out->paths.shape = has_callers ? PATHS_CALLERS : has_callees ? PATHS_CALLEES : PATHS_DOWN;
    out->look = (struct tree_look){.least_share = 0.005, .with_self = !has_callers};
    if (options_percent(options, "percent-limit", &out->look.least_share, err) < 0)
        return -1;
    out->grouping.least_share = options_has(options, "percent-limit") ? out->look.least_share : 0;
    out->pattern = options_value(options, name);
    return input_regex(options, name, &out->function, err);
}

/* Of what a function calls, tables tell it or not, and go by it or not. */
static int read_children(const struct options *options, struct report_settings *out, struct error *err)
{
    bool wants = options_has(options, "children");
    bool refuses = options_has(options, "no-children");

    if (wants && refuses)
        return error_set(err, ERROR_USAGE, "--children and --no-children: it is one or the other");
    if (out->is_tree && (wants || refuses))
        return error_set(err, ERROR_USAGE, "--%s is for tables, not for trees of calls",
                         wants ? "children" : "no-children");
    out->grouping.by_total = out->grouping.by_total || wants;
    out->grouping.without_total = refuses;
    return 0;
}

/* Threads, tasks and programs are of no crate; what they do is. */
static int check_crate(const struct grouping *grouping, struct error *err)
{
    const char *name = group_key_name(grouping->keys[0]);

    for (size_t i = 0; i < grouping->key_count; i++)
        if (!group_key_is_of_sample(grouping->keys[i]) && grouping->keys[i] != GROUP_DSO)
            return 0;
    error_hint(err, "--by %s,function --crate %.*s tells what of the crate each is in", name,
               SLICE_ARGUMENTS(grouping->crate));
    return error_set(err, ERROR_USAGE, "--crate is about code, and --by %s has rows of all crates", name);
}

/* Files of other forms are another verb's: of these endings tables share two. */
static int refuse_pictures(const struct options *options, struct error *err)
{
    SCOPED(text_done) struct text command = {0};

    for (size_t i = 0; i < options->uses.count; i++) {
        const struct option_use *use = &options->uses.items[i];
        enum output_format format = OUTPUT_TEXT;

        if (strcmp(use->spec->name, "output") != 0 || !output_format_of_name(use->value, &format) ||
            format == OUTPUT_TEXT || format == OUTPUT_FIREFOX)
            continue;
        text_add_string(&command, "cargo cprof flamegraph");
        for (size_t at = 0; at < options->positionals.count; at++) {
            text_add_byte(&command, ' ');
            text_add_shell(&command, slice_of(options->positionals.items[at]));
        }
        text_add_string(&command, " -o ");
        text_add_shell(&command, slice_of(use->value));
        error_hint(err, "pictures, stacks and profiles are written by: %s", text_string(&command));
        return error_set(err, ERROR_USAGE, "--output %s: tables are .json, .csv, .md or .txt", use->value);
    }
    return 0;
}

static int read_settings(const struct options *options, struct report_settings *out, struct error *err)
{
    const char *by = options_value(options, "by");

    if (grouping_read_keys(slice_of(by ? by : "function"), &out->grouping, err) < 0 ||
        input_regex(options, "filter", &out->filter, err) < 0 || read_tree(options, out, err) < 0)
        return -1;
    out->grouping.filter = out->filter;
    out->grouping.crate = slice_of(options_value(options, "crate"));
    if (read_children(options, out, err) < 0)
        return -1;
    if (out->is_tree && (out->filter || out->grouping.crate.length > 0 || by))
        return error_set(err, ERROR_USAGE,
                         "--by, --filter and --crate are for tables, not for trees of calls");
    if (out->grouping.crate.length > 0 && check_crate(&out->grouping, err) < 0)
        return -1;
    if (out->folds_runtime && !out->is_tree)
        return error_set(err, ERROR_USAGE,
                         "--fold-runtime is for trees of calls: --tree, --callers, --callees");
    if (refuse_pictures(options, err) < 0)
        return -1;
    if (outputs_read(options, out->is_tree ? 0 : USUAL_TOP, NULL, &out->outputs, err) < 0)
        return -1;
    return cargo_check_outputs(options, err);
}

/* Fills `unlimited` too unless it is NULL. */
static int fill_tree(struct profile *profile, uint32_t series, const struct report_settings *settings,
                     struct rows *rows, struct rows *unlimited, struct error *err)
{
    SCOPED(memory_free_at) bool *chosen = NULL;
    SCOPED(call_tree_done) struct call_tree tree = {0};
    SCOPED(totals_done) struct totals totals = {0};
    SCOPED(memory_free_at) bool *left_out = NULL;
    struct path_choice paths = settings->paths;

    if (settings->folds_runtime)
        left_out = runtime_calls_of(profile);
    paths.left_out = left_out;
    paths.gives_to_own = true;
    if (settings->function) {
        chosen = functions_matching(profile, settings->function, settings->pattern, err);
        if (!chosen)
            return -1;
        paths.chosen = chosen;
    }
    paths.least_share = unlimited ? 0 : settings->look.least_share;
    path_tree_make(profile, series, CALLS_BY_TOTAL, &paths, &tree);
    if (settings->function && tree.nodes.items[0].weights.total == 0)
        return error_set(err, ERROR_MISSING, "no sample is in a function that matches");
    totals_compute(profile, series, weight_of_series(profile, series), &totals);
    tree_rows_fill(profile, &tree, totals.whole, &settings->look, rows);
    if (unlimited)
        tree_rows_fill(profile, &tree, totals.whole,
                       &(struct tree_look){.with_self = settings->look.with_self}, unlimited);
    return 0;
}

/* Each hint is a paragraph: its first line begins with its name, those that go on are indented. */
static void add_hints(const struct profile *profile, uint32_t series, struct rows *rows)
{
    SCOPED(text_done) struct text hints = {0};
    SCOPED(text_done) struct text note = {0};
    struct scan scan;
    struct slice line = {0};

    hints_add(&hints, profile, series);
    for (scan = scan_of(text_slice(&hints)); scan_line(&scan, &line);) {
        bool goes_on = slice_starts_with(line, SLICE(" "));

        if (!goes_on && note.length > 0) {
            *vec_add(&rows->notes) = arena_copy(&rows->arena, text_slice(&note));
            text_clear(&note);
        }
        text_add_string(&note, goes_on ? "; " : "");
        text_add(&note, slice_trim(line));
    }
    if (note.length > 0)
        *vec_add(&rows->notes) = arena_copy(&rows->arena, text_slice(&note));
}

/* A table without rows looks as if nothing had been recorded; that all are too small is told below it. */
static int refuse_nothing(const struct options *options, const struct rows *rows, struct error *err)
{
    const char *filter = options_value(options, "filter");
    const char *crate = options_value(options, "crate");

    if (rows_count(rows) > 0 || rows->notes.count > 0 || (!filter && !crate))
        return 0;
    if (crate)
        error_hint(err, "the crates that are there: cargo cprof report FILE --by crate");
    else
        error_hint(err,
                   "the expression is matched anywhere in a row's text; all rows: -n 0 without --filter");
    return error_set(err, ERROR_MISSING, "nothing in the profile matches%s%s%s%s", filter ? " --filter " : "",
                     filter ? filter : "", crate ? " --crate " : "", crate ? crate : "");
}

/* Programs can leave out calls themselves, and want to be told what they add up to. */
static bool wants_whole_tree(const struct options *options, const struct outputs *outputs)
{
    return !options_has(options, "percent-limit") &&
           (outputs_want_format(outputs, RENDER_JSON) || outputs_want_format(outputs, RENDER_CSV));
}

/* A terminal, or /dev/null. */
static bool standard_input_is_device(void)
{
    struct stat input;

    return fstat(STDIN_FILENO, &input) < 0 || S_ISCHR(input.st_mode);
}

/* Without a name perf report takes perf.data, where nothing comes from standard input. */
static int open_profile(const struct options *options, struct profile *out, struct error *err)
{
    static const char of_perf[] = "perf.data";
    bool is_named = options->positionals.count > 0 || options_has(options, "input");

    if (is_named || !standard_input_is_device())
        return input_open(options, out, err);
    if (access(of_perf, F_OK) < 0) {
        error_hint(err, "cargo cprof -o app.cprof records one; then: cargo cprof report app.cprof");
        return error_set(err, ERROR_USAGE, "no profile was named");
    }
    command_note(options, "no file was named: this is of %s, which is here", of_perf);
    return input_open_file(options, of_perf, out, err);
}

int cmd_report(const struct options *options, int *exit_code, struct error *err)
{
    SCOPED(settings_done) struct report_settings settings = {0};
    SCOPED(profile_done) struct profile profile = {0};
    SCOPED(rows_done) struct rows rows = {0};
    SCOPED(rows_done) struct rows unlimited = {0};
    SCOPED(warnings_done) struct warnings warnings = {0};
    uint32_t series = 0;

    *exit_code = 0;
    if (read_settings(options, &settings, err) < 0 || open_profile(options, &profile, err) < 0 ||
        input_choose_series(options, &profile, &series, err) < 0)
        return -1;
    heap_warn(options, &profile, series, "", &warnings);
    if (grouping_has_key(&settings.grouping, GROUP_LINE) || grouping_has_key(&settings.grouping, GROUP_FILE))
        library_lines_add(&profile);
    if (settings.is_tree && wants_whole_tree(options, &settings.outputs))
        rows.unlimited = &unlimited;
    if (settings.is_tree ? fill_tree(&profile, series, &settings, &rows, rows.unlimited, err) < 0
                         : group_rows_fill(&profile, series, &settings.grouping, &rows, err) < 0)
        return -1;
    if (!settings.is_tree && refuse_nothing(options, &rows, err) < 0)
        return -1;
    rows.warnings = unlimited.warnings = &warnings;
    profile_facts_add(&profile, series, &rows);
    profile_facts_add(&profile, series, &unlimited);
    input_tell_chosen(options, &rows);
    input_tell_chosen(options, &unlimited);
    notes_add_facts(&profile, series, &rows);
    if (!settings.is_tree && !options_has(options, "by") && !options_has(options, "filter"))
        add_hints(&profile, series, &rows);
    notes_add_other_events(&profile, series, &rows);
    return outputs_write(&settings.outputs, &rows, NULL, err);
}
