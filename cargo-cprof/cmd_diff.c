#include "cmd_diff.h"

#include <string.h>

#include "diffed/diff.h"
#include "diffed/other_events.h"
#include "facts/series_unit.h"
#include "files/input_options.h"
#include "files/picture_options.h"
#include "other_tools_tables.h"
#include "sampler/perf/event_choices.h"

static const struct option_spec limit_specs[] = {
    {"event", 'e', OPTION_VALUE, "NAME",
     "The event to compare, where several were recorded; the first unless given", event_choices, NULL},
    {"fail-over", 0, OPTION_MANY, "LIMIT",
     "End with 3 when it grew by more: 5% or 200ms of all, function=5% for each function beyond noise, "
     "crate:NAME=5% for one crate; by --measure share also function=1pp, points of the whole",
     NULL, NULL},
    {"top", 'n', OPTION_VALUE, "NUM",
     "Rows to show, those within noise too; 0 shows all. 20 beyond noise unless given", NULL, NULL},
};

static const struct option_table limit_options = {"What to compare", limit_specs, ARRAY_COUNT(limit_specs)};

static const struct option_table *const tables[] = {
    &limit_options,          &diff_options, &diff_output_options, &picture_options, &input_options,
    &command_common_options, NULL};

static const char *const usages[] = {"[OPTIONS] BEFORE AFTER", NULL};

#define OF_ONE_PROFILE "goes by what no other run has: cargo cprof flamegraph draws it of one profile"
#define OWN_COLOURS "the colours of a comparison tell what changed: leave it out"

static const struct option_answer single_answers[] = {
    {"flamechart", 0, OF_ONE_PROFILE},
    {"flame-chart", 0, OF_ONE_PROFILE},
    {"per-thread", 0, OF_ONE_PROFILE},
    {"palette", 0, OWN_COLOURS},
    {"colors", 0, OWN_COLOURS},
    {"color=", 0, OWN_COLOURS},
    {"colordiffusion", 0, OWN_COLOURS},
    {"deterministic", 0, OWN_COLOURS},
    {"hash", 0, OWN_COLOURS},
    {"no-sort", 0, "stacks may come in any order: leave it out"},
    {NULL, 0, NULL},
};

static const struct option_answer *const answers[] = {single_answers, diff_answers, picture_answers,
                                                      both_built_answers, NULL};

static const struct command_example examples[] = {
    {"cargo cprof diff old.cprof new.cprof", "Which functions became slower or faster"},
    {"cargo cprof diff old.cprof new.cprof -o diff.svg", "And where in the calls: red slower, blue faster"},
    {"cargo cprof diff old.folded new.folded -o both.folded", "As inferno-diff-folded writes it"},
    {"cargo cprof diff old.cprof new.cprof --fail-over function=10%",
     "A check: exit code 3 when one grew so"},
};

const struct command cprof_diff_command = {
    .name = "cprof",
    .verb = "diff",
    .summary = "What changed from one profile to another",
    .description =
        "Compares two profiles: the functions that take more or less time, themselves and with what they "
        "call, new ones and those that are gone. Samples are counts, so each difference is held against what "
        "chance alone makes of so many; what is within that is noise and left out of the table unless -n "
        "asks "
        "for it. With -o FILE.svg a differential flame graph: as wide as AFTER, red what is slower itself, "
        "blue "
        "what is faster; what is gone stands beside the rest.",
    .exit_status = COMMAND_EXIT_STATUS_WITH_BUDGET,
    .usages = usages,
    .positional = "FILE",
    .positional_help =
        "The profile before, then the one after: .cprof files, perf.data, folded stacks or profiles of "
        "pprof; - is standard input",
    .runs_nothing = true,
    .tables = tables,
    .answers = answers,
    .examples = examples,
    .example_count = ARRAY_COUNT(examples),
};

/* The two profiles. */
struct sides {
    struct profile profiles[JOINED_SIDES];
    struct joined_part parts[JOINED_SIDES];
};

static void sides_done(struct sides *sides)
{
    for (size_t i = 0; i < JOINED_SIDES; i++)
        profile_done(&sides->profiles[i]);
}

static int open_side(const struct options *options, const char *path, size_t side, struct sides *out,
                     struct error *err)
{
    struct joined_part *part = &out->parts[side];

    if (input_open_file(options, path, &out->profiles[side], err) < 0)
        return -1;
    part->profile = &out->profiles[side];
    if (input_choose_series(options, &out->profiles[side], &part->series, err) < 0)
        return error_wrap(err, "%s", path);
    if (measure_check_samples(part, path, err) < 0)
        return -1;
    if (!series_is_of_folded_waits(part->profile, part->series))
        return 0;
    error_hint(err, "a .cprof tells both: cargo cprof diff OLD.cprof NEW.cprof --event off-cpu");
    return error_set(
        err, ERROR_USAGE,
        "%s: of waits folded stacks tell how long they were, but not how many, which chance goes "
        "by",
        path);
}

int cmd_diff(const struct options *options, int *exit_code, struct error *err)
{
    SCOPED(diff_settings_done) struct diff_settings settings = {0};
    SCOPED(sides_done) struct sides sides = {0};
    SCOPED(warnings_done) struct warnings warnings = {0};
    const char *const *paths = NULL;

    *exit_code = 0;
    if (diff_settings_read(options, &settings, err) < 0)
        return -1;
    settings.warnings = &warnings;
    if (input_paths(options, &settings.arena, &paths) != JOINED_SIDES) {
        error_hint(err, "cargo cprof diff BEFORE AFTER; `cargo cprof --diff BASE` records one of them");
        return error_set(err, ERROR_USAGE, "two profiles are compared: name both");
    }
    if (strcmp(paths[0], "-") == 0 && strcmp(paths[1], "-") == 0)
        return error_set(err, ERROR_USAGE, "only one of the two can be standard input");
    if (input_check_kept(options, err) < 0)
        return -1;
    for (size_t i = 0; i < JOINED_SIDES; i++)
        if (open_side(options, paths[i], i, &sides, err) < 0)
            return -1;
    if (!options_has(options, "event"))
        settings.note = other_events_note(&settings.arena, sides.parts, "--event");
    return diff_run(
        &settings, sides.parts,
        &(struct change_words){input_label(paths[JOINED_BEFORE]), input_label(paths[JOINED_AFTER])}, err);
}
