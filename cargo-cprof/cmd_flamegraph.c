#include "cmd_flamegraph.h"

#include <unistd.h>

#include "base/file.h"
#include "files/heap_warnings.h"
#include "files/input_options.h"
#include "files/outputs.h"
#include "files/picture_options.h"
#include "other_tools_tables.h"
#include "sampler/perf/event_choices.h"

static const struct option_spec flamegraph_specs[] = {
    {"event", 'e', OPTION_VALUE, "NAME",
     "Draw this event alone, where several were recorded. Unless given all are drawn, the first to "
     "FILE and the others beside it (to standard output only the first). A file for pprof has all of "
     "them, and shows this one first. off-cpu says that folded stacks count microseconds of waiting",
     event_choices, NULL},
    {"output", 'o', OPTION_MANY, "FILE",
     "Write to FILE in the form its name asks for: " OUTPUT_ENDINGS
     "; flamegraph.svg unless given, or standard output for what comes from standard input",
     NULL, NULL},
    {"quiet", 'q', OPTION_FLAG, NULL, "Do not say what was written", NULL, NULL},
};

static const struct option_table flamegraph_options = {"Output", flamegraph_specs,
                                                       ARRAY_COUNT(flamegraph_specs)};

static const struct option_table *const tables[] = {&flamegraph_options,     &picture_options_with_letter,
                                                    &picture_single_options, &input_options_without_letter,
                                                    &command_common_options, NULL};

static const struct option_answer other_answers[] = {
    {"colors", 'c', "palettes are --palette NAME or --colors NAME"},
    {"freq", 'F',
     "a picture of what was recorded before; recorded and drawn at once: cargo cprof exec -F HZ -- PROGRAM"},
    {"negate", 0, "what changed between two profiles is drawn by: cargo cprof diff BEFORE AFTER -o diff.svg"},
    {"no-inline", 0, "inlined calls are left out when a profile is recorded: cargo cprof --no-inline"},
    {"open", 0, "nothing is opened: xdg-open FILE.svg"},
    {"pid", 'p',
     "a process of what was recorded before is drawn by --pid PID; one that runs is recorded and drawn by: "
     "cargo cprof exec --pid PID"},
    {"post-process", 0, "change the stacks before: YOUR-FILTER < a.folded | cargo cprof flamegraph > a.svg"},
    {"root", 0, "a picture of what was recorded before; as root records cargo cprof exec --root -- PROGRAM"},
    {"verbose", 'v', "what there is to say is said already"},
    {NULL, 0, NULL},
};

static const struct option_answer *const answers[] = {picture_answers, built_answers, other_answers, NULL};

static const char *const usages[] = {"[OPTIONS] [FILE]...", NULL};

static const struct command_example examples[] = {
    {"cargo cprof flamegraph app.cprof", "Draw what a recording kept: flamegraph.svg"},
    {"cargo cprof flamegraph app.folded -o app.svg", "Draw folded stacks"},
    {"cargo cprof flamegraph perf.data -o app.svg", "Draw what perf recorded"},
};

const struct command cprof_flamegraph_command = {
    .name = "cprof",
    .verb = "flamegraph",
    .summary = "Draws a flame graph of what was recorded before",
    .description =
        "Draws what `cargo cprof -o FILE.cprof` kept, what perf recorded (perf.data), and folded stacks, a "
        "line a path (\"main;parse;read "
        "42\"), as FlameGraph's and inferno's collapse "
        "programs and `cargo cprof -o FILE.folded` write them. Several folded files are drawn as one. "
        "Profiles "
        "of pprof (.pb, .pb.gz) are drawn, too.",
    .usages = usages,
    .positional = "FILE",
    .positional_help =
        "A .cprof file, perf.data, folded stacks or a profile of pprof; - or none is standard input",
    .runs_nothing = true,
    .tables = tables,
    .answers = answers,
    .examples = examples,
    .example_count = ARRAY_COUNT(examples),
};

/* Standard input goes to standard output, as with inferno-flamegraph, unless that is a terminal. */
static bool is_filter(const struct options *options)
{
    return !options_has(options, "output") && input_is_standard(options) && !isatty(STDOUT_FILENO);
}

static int check_events(const struct options *options, const struct profile *profile, struct error *err)
{
    for (size_t i = 1; i < profile->series.count; i++)
        if (outputs_check_event(options, profile_text(profile, profile->series.items[i].event), err) < 0)
            return -1;
    return 0;
}

int cmd_flamegraph(const struct options *options, int *exit_code, struct error *err)
{
    SCOPED(profile_done) struct profile profile = {0};
    SCOPED(text_done) struct text picture = {0};
    SCOPED(arena_done) struct arena arena = {0};
    SCOPED(warnings_done) struct warnings warnings = {0};
    struct output_look look = {0};
    bool draws_all = !is_filter(options) && !options_has(options, "event");
    uint32_t series = 0;

    *exit_code = 0;
    if (picture_look(options, &arena, &look, err) < 0 ||
        (!is_filter(options) && outputs_check(options, err) < 0) || input_check_kept(options, err) < 0 ||
        input_open(options, &profile, err) < 0 || input_choose_series(options, &profile, &series, err) < 0 ||
        (draws_all && check_events(options, &profile, err) < 0))
        return -1;
    if (draws_all)
        series = PROFILE_NONE;
    heap_warn(options, &profile, series, "", &warnings);
    look.warnings = &warnings;
    if (!is_filter(options))
        return outputs_write_all(options, &profile, series, &look, err);
    if (output_add(&picture, &profile, series, OUTPUT_FLAME, &look, err) < 0)
        return -1;
    return file_write_stdout(text_slice(&picture), err);
}
