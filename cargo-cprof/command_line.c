#include "command_line.h"

#include "cargo/args.h"
#include "cmd_annotate.h"
#include "cmd_compare.h"
#include "cmd_diff.h"
#include "cmd_exec.h"
#include "cmd_flamegraph.h"
#include "cmd_report.h"
#include "diffed/diff.h"
#include "diffed/record_diff.h"
#include "emit/output.h"
#include "files/picture_options.h"
#include "other_tools_tables.h"
#include "revision/clean.h"
#include "unknown_words.h"

static const struct option_spec record_specs[] = {
    {"output", 'o', OPTION_MANY, "FILE",
     "Write the profile to FILE in the form its name asks for: " OUTPUT_ENDINGS "; flamegraph.svg unless "
     "given. With --diff what changed: " DIFF_ENDINGS,
     NULL, NULL},
    {"top", 'n', OPTION_VALUE, "NUM", "Functions in the summary; 0 shows all. 10 unless given", NULL, NULL},
    {"open", 0, OPTION_FLAG, NULL, "Open the picture in a browser", NULL, NULL},
};

const struct option_table record_options = {"Record", record_specs, ARRAY_COUNT(record_specs)};

static const struct option_answer cargo_answers[] = {
    {"all-cpus", 'a', "the whole machine is --all-cpus, or: cargo cprof exec -a"},
    {"bin", 'b', "binaries are --bin NAME"},
    {"cpu", 'C', "some processors are watched by: cargo cprof exec -C LIST"},
    {"fail-over", 0,
     "a budget is one of comparisons: cargo cprof compare main --fail-over 5%, or of two profiles: cargo "
     "cprof diff OLD NEW"},
    {"completions", 0, "completions are printed by --generate bash, zsh or fish"},
    {"dev", 0, "the profile is --profile dev"},
    {"diff=", 0, "a base is a revision (main, HEAD~3), or what was recorded before: --diff old.cprof"},
    {"unit-test-kind", 0, "--unit-test --lib, or --unit-test --bin NAME, says which"},
    {NULL, 0, NULL},
};

static const struct option_answer *const answers[] = {picture_answers, cargo_answers, record_answers, NULL};

/* As cargo has them, but for the letter of --features: F is the frequency's. */
static const struct option_spec feature_specs[] = {
    {"features", 'f', OPTION_MANY, "FEATURES", "Features to activate, with spaces or commas between", NULL,
     NULL},
    {"all-features", 0, OPTION_FLAG, NULL, "Activate all features", NULL, NULL},
    {"no-default-features", 0, OPTION_FLAG, NULL, "Do not activate the default features", NULL, NULL},
};

const struct option_table cprof_feature_options = {"Features", feature_specs, ARRAY_COUNT(feature_specs)};

static const struct option_table *const tables[] = {
    &record_options,         &recording_options,     &watching_options,       &picture_options,
    &picture_single_options, &record_base_options,   &diff_options,           &cargo_target_options,
    &cargo_unit_options,     &cargo_package_options, &cprof_feature_options,  &cargo_compilation_options,
    &cargo_manifest_options, &cargo_general_options, &command_common_options, NULL,
};

static const char *const usages[] = {"[OPTIONS] [WHAT CARGO BUILDS] [-- ARGS]...", "VERB ...", NULL};

static const struct command clean = CLEAN_COMMAND("cprof");

static const struct command_verb verbs[] = {
    {&cprof_exec_command, cmd_exec},
    {&cprof_record_command, cmd_exec},
    {&cprof_flamegraph_command, cmd_flamegraph},
    {&cprof_report_command, cmd_report},
    {&cprof_annotate_command, cmd_annotate},
    {&cprof_diff_command, cmd_diff},
    {&cprof_compare_command, cmd_compare},
    {&clean, clean_run},
};

static const struct command_example examples[] = {
    {"cargo cprof", "Build the program, run it, draw where its time went: flamegraph.svg"},
    {"cargo cprof --bin crunch -- 60", "One of several programs, with an argument of its own"},
    {"cargo cprof --bench index -o index.svg -o index.folded", "A benchmark, in two forms"},
    {"cargo cprof --bin crunch --diff main -- 60",
     "What the working tree changed since main: red slower, blue faster"},
    {"cargo cprof -F 4000 --open", "Four times as many samples, and the picture in a browser"},
};

const struct command cprof_command = {
    .name = "cprof",
    .verbs = verbs,
    .verb_count = ARRAY_COUNT(verbs),
    .summary = "Where a program's time goes: one command from source to flame graph",
    .description =
        "Builds like `cargo build` with the same options, but with the profile `profiling` "
        "(release with debug "
        "information, unless the workspace has one of its own; -r means it too), runs the program with what "
        "follows `--`, samples "
        "where it spends its CPU time, and writes a flame graph. The program's input, output and "
        "exit code are "
        "its own; what cargo-cprof has to say goes to standard error.\n"
        "A verb as the first word does something else: `cargo cprof exec PROGRAM` records any program "
        "without "
        "cargo.",
    .exit_status = RECORDING_EXIT_STATUS "; cargo's own when cargo failed",
    .usages = usages,
    .explain_word = unknown_word_explain,
    .tables = tables,
    .answers = answers,
    .examples = examples,
    .example_count = ARRAY_COUNT(examples),
};
