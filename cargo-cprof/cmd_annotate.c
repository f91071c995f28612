#include "cmd_annotate.h"

#include "annotate/instruction_rows.h"
#include "annotate/nothing_shown.h"
#include "annotate/source_rows.h"
#include "annotate/usual_function.h"
#include "base/memory.h"
#include "base/scan.h"
#include "cargo/output_check.h"
#include "cli/real_options.h"
#include "facts/profile_facts.h"
#include "files/heap_warnings.h"
#include "files/input_options.h"
#include "other_tools_tables.h"
#include "report/outputs.h"
#include "sampler/perf/event_choices.h"
#include "symbolize/library_lines.h"
#include "view/functions_matching.h"
#include "view/notes.h"

enum { USUAL_CONTEXT = 4 };

static const char *const syntax_names[] = {"intel", "att", NULL};

static const struct option_spec annotate_specs[] = {
    {"event", 'e', OPTION_VALUE, "NAME",
     "The event to show, where several were recorded; the first unless given", event_choices, NULL},
    {"asm", 0, OPTION_FLAG, NULL, "Show machine code, instruction by instruction, with the lines it is of",
     NULL, NULL},
    {"disassembler-style", 'M', OPTION_VALUE, "SYNTAX", "How machine code of x86-64 is written", syntax_names,
     NULL},
    {"context", 0, OPTION_VALUE, "NUM",
     "Lines or instructions to show around those that have samples, or all; 4 unless given", NULL, NULL},
    {"percent-limit", 0, OPTION_VALUE, "PERCENT",
     "Leave out lines with less than this share of all that is listed together, except around others, "
     "and files and functions with less than this share of the first; 0.5 unless given",
     NULL, NULL},
    {"stdio", 0, OPTION_FLAG, NULL, NULL, NULL, NULL},
    {"stdio-color", 0, OPTION_VALUE, "WHEN", NULL, NULL, "color"},
};

static const struct option_table annotate_options = {"Annotate", annotate_specs, ARRAY_COUNT(annotate_specs)};

static const struct option_table *const tables[] = {&annotate_options, &input_options, &outputs_options,
                                                    &command_common_options, NULL};

static const struct option_answer *const answers[] = {annotate_answers, loaded_answers, NULL};

static const char *const usages[] = {"[OPTIONS] FILE [FUNCTION]", "[OPTIONS] --input FILE [FUNCTION]", NULL};

static const struct command_example examples[] = {
    {"cargo cprof annotate app.cprof",
     "The lines of the function of yours that takes the most time, with what it calls of others"},
    {"cargo cprof annotate app.cprof parse_chunk", "Those of every function with this in its name"},
    {"cargo cprof annotate app.cprof 'parse_chunk$' --asm", "The instructions that it was compiled to"},
    {"cargo cprof annotate app.cprof parse_chunk --event heap-peak", "Which lines ask for the memory"},
};

const struct command cprof_annotate_command = {
    .name = "cprof",
    .verb = "annotate",
    .summary = "Source or machine code of a function, with the time in each line",
    .description =
        "Shows the lines of a function's source, or with --asm its instructions, and beside each how much "
        "of all samples was taken there (self), and there with what it calls (total).",
    .usages = usages,
    .positional = "FILE",
    .positional_help =
        "A .cprof file, perf.data or a profile of pprof, - for standard input; then a regular expression for "
        "names of functions",
    .runs_nothing = true,
    .tables = tables,
    .answers = answers,
    .examples = examples,
    .example_count = ARRAY_COUNT(examples),
};

/* What the options say. */
struct annotate_settings {
    const char *file;
    const char *pattern;    /* of functions; NULL: the heaviest */
    struct regex *function; /* owned; that */
    bool is_code;
    enum instruction_syntax syntax;
    struct listing_look look;
    struct outputs outputs;
};

static void settings_done(struct annotate_settings *settings)
{
    regex_free(settings->function);
}

static int read_names(const struct options *options, struct annotate_settings *out, struct error *err)
{
    const char *const *words = options->positionals.items;
    size_t count = options->positionals.count;

    out->file = options_value(options, "input");
    if (options_count(options, "input") > 1)
        return error_set(err, ERROR_USAGE, "--input: functions of one profile are shown at a time");
    if (!out->file && count > 0) {
        out->file = *words++;
        count--;
    }
    if (!out->file) {
        error_hint(err, "cargo cprof -o app.cprof records one; then: cargo cprof annotate app.cprof");
        return error_set(err, ERROR_USAGE, "no profile was named");
    }
    if (count > 1) {
        error_hint(err, "several functions are one expression: '%s|%s'", words[0], words[1]);
        return error_set(err, ERROR_USAGE, "%s: one expression says which functions", words[1]);
    }
    out->pattern = count > 0 ? words[0] : NULL;
    if (out->pattern && regex_compile(slice_of(out->pattern), &out->function, err) < 0)
        return error_wrap(err, "%s", out->pattern);
    return 0;
}

static int read_context(const struct options *options, uint32_t *out, struct error *err)
{
    const char *value = options_value(options, "context");
    struct scan scan = scan_of(slice_of(value));
    uint64_t number = USUAL_CONTEXT;

    if (value && slice_is(slice_of(value), "all")) {
        *out = LISTING_ALL;
        return 0;
    }
    if (value && (!scan_decimal(&scan, &number) || !scan_at_end(&scan)))
        return error_set(err, ERROR_USAGE, "--context takes a whole number or all, not \"%s\"", value);
    *out = number < LISTING_ALL ? (uint32_t)number : LISTING_ALL;
    return 0;
}

static int read_settings(const struct options *options, struct annotate_settings *out, struct error *err)
{
    out->is_code = options_has(options, "asm");
    out->syntax = (enum instruction_syntax)options_choice(options, "disassembler-style", SYNTAX_INTEL);
    out->look.least_share = 0.005;
    if (options_has(options, "disassembler-style") && !out->is_code)
        return error_set(err, ERROR_USAGE, "--disassembler-style is about machine code, which --asm shows");
    if (read_names(options, out, err) < 0 || read_context(options, &out->look.context, err) < 0 ||
        options_percent(options, "percent-limit", &out->look.least_share, err) < 0 ||
        outputs_read(options, 0, NULL, &out->outputs, err) < 0)
        return -1;
    out->look.for_programs =
        outputs_want_format(&out->outputs, RENDER_JSON) || outputs_want_format(&out->outputs, RENDER_CSV);
    return cargo_check_outputs(options, err);
}

/* By function, which are shown, to be freed; NULL with ERROR_MISSING or as of functions_matching. */
static bool *choose(const struct profile *profile, uint32_t series, const struct annotate_settings *settings,
                    struct error *err)
{
    bool *chosen = NULL;
    uint32_t usual = PROFILE_NONE;

    if (settings->pattern)
        return functions_matching(profile, settings->function, settings->pattern, err);
    usual = usual_function_of(profile, series);
    if (usual == PROFILE_NONE) {
        error_record(err, ERROR_MISSING, "no sample tells a function");
        return NULL;
    }
    chosen = memory_new(profile->functions.count + 1, sizeof(bool));
    chosen[usual] = true;
    return chosen;
}

static int fill(const struct profile *profile, uint32_t series, const struct annotate_settings *settings,
                struct listing_rows *out, struct error *err)
{
    SCOPED(memory_free_at) bool *chosen = NULL;
    SCOPED(hot_code_done) struct hot_code code = {0};

    if (nothing_shown_check(profile, series, err) < 0)
        return -1;
    chosen = choose(profile, series, settings, err);
    if (!chosen)
        return -1;
    if (!settings->is_code)
        return source_rows_fill(profile, series, chosen, &settings->look, out, err);
    if (hot_code_find(profile, series, chosen, settings->syntax, &code, err) < 0)
        return -1;
    instruction_rows_fill(profile, series, &code, &settings->look, out);
    return 0;
}

int cmd_annotate(const struct options *options, int *exit_code, struct error *err)
{
    SCOPED(settings_done) struct annotate_settings settings = {0};
    SCOPED(profile_done) struct profile profile = {0};
    SCOPED(listing_rows_done) struct listing_rows rows = {0};
    SCOPED(warnings_done) struct warnings warnings = {0};
    uint32_t series = 0;

    *exit_code = 0;
    if (read_settings(options, &settings, err) < 0 ||
        input_open_file(options, settings.file, &profile, err) < 0 ||
        input_choose_series(options, &profile, &series, err) < 0)
        return -1;
    heap_warn(options, &profile, series, "", &warnings);
    if (!settings.is_code)
        library_lines_add(&profile);
    rows.people.unlimited = &rows.programs;
    if (fill(&profile, series, &settings, &rows, err) < 0)
        return -1;
    rows.people.warnings = rows.programs.warnings = &warnings;
    profile_facts_add(&profile, series, &rows.people);
    profile_facts_add(&profile, series, &rows.programs);
    input_tell_chosen(options, &rows.people);
    input_tell_chosen(options, &rows.programs);
    notes_add_facts(&profile, series, &rows.people);
    notes_add_other_events(&profile, series, &rows.people);
    return outputs_write(&settings.outputs, &rows.people, NULL, err);
}
