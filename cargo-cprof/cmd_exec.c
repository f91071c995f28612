#include "cmd_exec.h"

#include "command_line.h"
#include "diffed/diff.h"
#include "diffed/record_diff.h"
#include "files/picture_options.h"
#include "other_tools_tables.h"

static const struct option_spec exec_specs[] = {
    {"quiet", 'q', OPTION_FLAG, NULL, "Do not print the summary", NULL, NULL},
    {"all", 0, OPTION_FLAG, NULL, NULL, NULL, "all-cpus"},
};

static const struct option_table exec_options = {"Exec", exec_specs, ARRAY_COUNT(exec_specs)};

static const struct option_table *const exec_tables[] = {&record_options,
                                                         &recording_options,
                                                         &watching_options_with_letters,
                                                         &picture_options,
                                                         &picture_single_options,
                                                         &exec_options,
                                                         &exec_base_options,
                                                         &diff_options,
                                                         &command_common_options,
                                                         NULL};

static const struct option_answer exec_answers[] = {
    {"branch-filter", 'j', "branches are not recorded; who called whom is told by unwind information"},
    {"completions", 0, "completions are printed by --generate bash, zsh or fish"},
    {"release", 'r', "cargo cprof, without a verb, builds and records; samply's -r is -F HZ"},
    {"verbose", 'v', "there is nothing more to say; -q says less"},
    {NULL, 0, NULL},
};

static const struct option_answer *const answers[] = {picture_answers, record_answers, built_answers,
                                                      exec_answers, NULL};

static const char *const usages[] = {"[OPTIONS] [--] PROGRAM [ARGS]...",
                                     "[OPTIONS] --pid PID[,PID]... [-- COMMAND [ARGS]...]",
                                     "[OPTIONS] --all-cpus [-- COMMAND [ARGS]...]", NULL};

#define DESCRIPTION                                                                                          \
    "Runs any program, samples where it spends its CPU time, and writes a flame graph: no cargo project is " \
    "needed and nothing is built. Options stand before PROGRAM; it and all that follows is the program's. "  \
    "Its input, output and exit code are its own; what cargo-cprof has to say goes to standard error."

static const struct command_example exec_examples[] = {
    {"cargo cprof exec ./server --port 8080", "Record a program that cargo did not build"},
    {"cargo cprof exec -F 4000 -o out.folded -- make -j2", "A build with all its compilers, for other tools"},
};

const struct command cprof_exec_command = {
    .name = "cprof",
    .verb = "exec",
    .summary = "Records any program, whoever built it, or processes that run",
    .description = DESCRIPTION,
    .exit_status = RECORDING_EXIT_STATUS,
    .usages = usages,
    .takes_program = true,
    .tables = exec_tables,
    .answers = answers,
    .examples = exec_examples,
    .example_count = ARRAY_COUNT(exec_examples),
};

static const struct command_example record_examples[] = {
    {"cargo cprof record ./server --port 8080", "As perf and samply have it"},
};

const struct command cprof_record_command = {
    .name = "cprof",
    .verb = "record",
    .summary = "The same as exec, as perf and samply call it",
    .description = DESCRIPTION,
    .exit_status = RECORDING_EXIT_STATUS,
    .usages = usages,
    .takes_program = true,
    .tables = exec_tables,
    .answers = answers,
    .examples = record_examples,
    .example_count = ARRAY_COUNT(record_examples),
};

/* record_side_fn */
static int record_side(void *context, const struct options *options, struct recorded *out, struct error *err)
{
    (void)options;
    return record_make(context, &out->collection, err);
}

int cmd_exec(const struct options *options, int *exit_code, struct error *err)
{
    SCOPED(record_settings_done) struct record_settings settings = {0};
    const char *const *program = options->program_arguments;
    struct record_request request = {.options = options, .settings = &settings};
    bool has_sides = false;

    if (program && program[0])
        request.launch.argv = program;
    /* Who says sudo means the program, too; who says --root does not. */
    request.launch.is_privileged = !options_has(options, "root");
    if (record_settings_read(options, &settings, err) < 0 || record_diff_read(options, &has_sides, err) < 0)
        return -1;
    if (!request.launch.argv && !recording_watches(&settings.recording)) {
        error_hint(
            err,
            "cargo cprof %s [OPTIONS] PROGRAM [ARGS]..., or --pid PID for one that runs; what cargo builds "
            "is recorded by `cargo cprof`, without a verb",
            options->command->verb);
        return error_set(err, ERROR_USAGE, "no program was named");
    }
    if (has_sides)
        return record_diff_run(&(struct record_diff_request){options, &settings, record_side, &request},
                               exit_code, err);
    return record_run(&request, exit_code, err);
}
