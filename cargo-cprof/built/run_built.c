#include "built/run_built.h"

#include <string.h>
#include <unistd.h>

#include "built/bench_arguments.h"
#include "proc/ourselves.h"

/* How a setting names us as the program; cargo splits a string at spaces. */
static int name_ourselves(struct arena *arena, bool is_string, const char **out, struct error *err)
{
    if (ourselves_find(arena, out, err) < 0)
        return -1;
    if (is_string && strpbrk(*out, " \t\r\n"))
        *out = arena_format(arena, "/proc/%d/exe", (int)getpid());
    return 0;
}

/* --config=target.'TRIPLE'.runner=["PATH"]. cargo merges it with the user's only if both are of one kind. */
static int add_setting(struct run_built *run, struct cargo_words *extra, struct error *err)
{
    SCOPED(text_done) struct text word = {0};
    const struct toml_node *theirs = run->runner.triple_value;
    bool is_string = theirs && theirs->kind == TOML_STRING;
    const char *path = NULL;

    if (name_ourselves(&run->arena, is_string, &path, err) < 0)
        return -1;
    text_format(&word, "--config=target.'%s'.runner=%s\"", run->runner.platform.triple, is_string ? "" : "[");
    text_add_json(&word, slice_of(path));
    text_add_string(&word, is_string ? "\"" : "\"]");
    cargo_words_add(extra, arena_copy(&run->arena, text_slice(&word)));
    cargo_words_add(extra, NULL);
    return 0;
}

static int take_line(void *context, struct slice line, struct error *err)
{
    struct run_built *run = context;

    return run_report_take(&run->arena, line, &run->report, err);
}

static int build(const struct cargo_request *request, struct run_built *run, struct error *err)
{
    static const char *const environment[] = {RUN_REPORT_VARIABLE "=1", NULL};
    SCOPED(cargo_words_done) struct cargo_words extra = {0};
    struct cargo_run how = {request->options->program_arguments, take_line, run};
    struct cargo_request whole = *request;

    if (cargo_runner_find(&run->arena, request->options, &run->runner, err) < 0 ||
        add_setting(run, &extra, err) < 0)
        return -1;
    whole.extra = extra.items.items;
    whole.environment = environment;
    whole.run = &how;
    if (cargo_build(&whole, &run->built, err) < 0)
        return -1;
    if (!run->report.arguments)
        return error_set(err, ERROR_CHILD, "cargo built %s, and started nothing", run->built.path.data);
    return 0;
}

static bool is_benchmark(const struct run_built *run)
{
    return run->built.artifact->target.kind == CARGO_BENCH ||
           run->built.choice.harness == CARGO_BENCH_HARNESS;
}

/* The runner, and what cargo hands on to it. */
static const char *const *arguments_of(struct run_built *run)
{
    SCOPED(cargo_words_done) struct cargo_words words = {0};

    for (size_t i = 0; i < run->runner.words.items.count; i++)
        cargo_words_add(&words, run->runner.words.items.items[i]);
    if (is_benchmark(run)) {
        run->harness = bench_harness_of(run->built.path.data);
        run->has_profile_time = bench_arguments_add(run->report.arguments, run->harness, &words);
    } else
        for (const char *const *at = run->report.arguments; *at; at++)
            cargo_words_add(&words, *at);
    return cargo_words_keep(&run->arena, &words);
}

/* Whether the program is given a variable of that name. */
static bool is_given(const char *const *environment, struct slice name)
{
    for (; *environment; environment++) {
        struct slice given = slice_of(*environment);

        if (slice_starts_with(given, name) && given.length > name.length && given.data[name.length] == '=')
            return true;
    }
    return false;
}

/*
 * What cargo gives it. Criterion asks `cargo metadata` where the target folder is unless a variable says it
 * (cargo_target_directory() of its lib.rs): that would be among what the benchmark takes.
 */
static const char *const *environment_of(struct run_built *run)
{
    const char *const *given = run->report.environment;
    struct slice folder = run->built.graph->target_directory;
    const char **all = NULL;
    size_t count = 0;

    if (!run->has_profile_time || is_given(given, SLICE("CRITERION_HOME")) ||
        is_given(given, SLICE("CARGO_TARGET_DIR")))
        return given;
    while (given[count])
        count++;
    all = ARENA_ARRAY(&run->arena, count + 2, const char *);
    memcpy(all, given, count * sizeof(*all));
    all[count] = arena_format(&run->arena, "CRITERION_HOME=%.*s/criterion", SLICE_ARGUMENTS(folder));
    return all;
}

int run_built_make(const struct cargo_request *request, struct run_built *out, struct error *err)
{
    *out = (struct run_built){0};
    if (build(request, out, err) < 0) {
        run_built_done(out);
        return -1;
    }
    /* They tell of the harness, which the variables are for. */
    out->launch.argv = arguments_of(out);
    out->launch.environment = environment_of(out);
    out->launch.directory = out->report.folder;
    return 0;
}

void run_built_done(struct run_built *run)
{
    cargo_runner_done(&run->runner);
    cargo_built_done(&run->built);
    arena_done(&run->arena);
    *run = (struct run_built){0};
}
