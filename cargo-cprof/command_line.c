#include "command_line.h"

#include "cargo/args.h"
#include "cmd_compare.h"
#include "cmd_diff.h"
#include "cmd_exec.h"
#include "cmd_flamegraph.h"
#include "cmd_report.h"
#include "diffed/diff.h"
#include "diffed/record_diff.h"
#include "emit/output.h"
#include "files/picture_options.h"
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

#define NO_PERF "-F, -e, -c and --call-graph say what is sampled; perf is not run"
#define NOT_NEEDED "perf's, and nothing here needs it: leave it out"

/* What cargo-flamegraph, perf record and samply record have beside these. */
const struct option_answer record_answers[] = {
    {"all-kernel", 0, "what the kernel did of it: cargo cprof report FILE.cprof --crate '[kernel]'"},
    {"branch-any", 'b', "branches are not recorded; who called whom is told by unwind information"},
    {"cgroup", 'G', "not by cgroup: --pid PID,PID watches processes, --all-cpus the machine"},
    {"clockid", 'k', "times are always those of CLOCK_MONOTONIC"},
    {"format", 0, "the name's ending tells the form: -o FILE.svg, FILE.folded, FILE.speedscope.json"},
    {"filter", 0, "samples are chosen afterwards: cargo cprof report FILE.cprof --filter REGEXP"},
    {"ignore-exit-code", 0, "that is --ignore-status here"},
    {"include-args", 0, "a process is called by its name; what was run stands in the heading"},
    {"main-thread-only", 0,
     "all threads are recorded; one is drawn by: cargo cprof flamegraph FILE.cprof --thread NAME"},
    {"cswitch-markers", 0,
     "what is switched to is not marked; --off-cpu tells where threads wait, and for how long"},
    {"mmap-pages", 'm', "buffers are as large as the system allows; where samples are lost a lower -F helps"},
    {"no-buildid", 'B', NOT_NEEDED},
    {"no-buildid-cache", 'N', NOT_NEEDED},
    {"no-inherit", 0, "threads and children that come are recorded too; --thread NAME picks afterwards"},
    {"no-buffering", 0, NOT_NEEDED},
    {"no-open", 0, "nothing is opened unless --open asks for it"},
    {"delay", 'D', "--delay takes a time with its unit: 100ms"},
    {"per-cpu-threads", 0, "samples do not tell their processor; --per-thread draws a graph for each thread"},
    {"reuse-threads", 0, "threads of one name are one graph unless --per-thread tells them apart"},
    {"save-only", 's', "nothing is opened unless --open asks for it; -o FILE names what is written"},
    {"port", 'P', "nothing is served: -o FILE.json.gz is opened at profiler.firefox.com"},
    {"profile-name", 0, "the heading of the picture is --title TEXT"},
    {"raw-samples", 'R', NOT_NEEDED},
    {"switch-events", 0, NOT_NEEDED},
    {"tid", 't',
     "--pid watches all threads of a process; one is drawn by: cargo cprof flamegraph FILE.cprof --thread "
     "NAME"},
    {"sample-cpu", 0, "samples do not tell their processor; --cpu LIST watches some of them"},
    {"strict-freq", 0, "a frequency that the kernel does not allow is lowered, and said so"},
    {"timestamp", 'T', "each sample has its time: report --time 2..5, flamegraph --flamechart"},
    {"unstable-presymbolicate", 0, "names are in the file already: leave it out"},
    {"uid", 'u', "--pid PID,PID watches processes: --pid \"$(pgrep -d, -u USER)\""},

    {"custom-cmd", 0, NO_PERF},
    {"cmd", 0, NO_PERF},
    {"compression-level", 'z', "-o FILE.cprof is packed already"},
    {"inverted", 'i', "a letter that is perf's elsewhere: write --inverted"},
    {"perfdata", 0, "what was recorded before is drawn by: cargo cprof flamegraph FILE"},
    {"post-process", 0,
     "write folded stacks, change them, draw them: -o a.folded, then YOUR-FILTER < a.folded | cargo cprof "
     "flamegraph > a.svg"},
    {NULL, 0, NULL},
};

static const struct option_answer cargo_answers[] = {
    {"all-cpus", 'a', "the whole machine is --all-cpus, or: cargo cprof exec -a"},
    {"bin", 'b', "binaries are --bin NAME"},
    {"cpu", 'C', "some processors are watched by: cargo cprof exec -C LIST"},
    {"fail-over", 0,
     "a budget is one of comparisons: cargo cprof compare main --fail-over 5%, or of two profiles: cargo "
     "cprof diff OLD NEW"},
    {"completions", 0, "completions are printed by --generate bash, zsh or fish"},
    {"dev", 0, "the profile is --profile dev"},
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
