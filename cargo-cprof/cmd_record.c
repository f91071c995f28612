#include "cmd_record.h"

#include "base/ascii.h"
#include "base/memory.h"
#include "built/build_profile.h"
#include "built/debug_advice.h"
#include "built/listed_benchmarks.h"
#include "built/run_built.h"
#include "cargo/args.h"
#include "compare/build_facts.h"
#include "diffed/record_diff.h"
#include "symbolize/package_files.h"

/* What record_side is to do. */
struct recording_of_side {
    const struct record_settings *settings;
    bool is_compared; /* with what is recorded likewise, or was */
};

/* A crate's name has '_' for '-'. */
static void set_crate_name(struct text *name, struct slice target)
{
    text_clear(name);
    text_add(name, target);
    for (size_t i = 0; i < name->length; i++)
        if (name->data[i] == '-')
            name->data[i] = '_';
}

static void add_crate(struct intern *crates, struct slice target)
{
    SCOPED(text_done) struct text name = {0};

    set_crate_name(&name, target);
    intern_add(crates, text_slice(&name));
}

/*
 * What may be loaded by the program, or started by it, and was built before: all of the workspace but what is
 * called like another crate of the program.
 */
static void add_other_members(const struct cargo_graph *graph, const struct intern *all, struct intern *own)
{
    SCOPED(text_done) struct text name = {0};

    for (size_t i = 0; i < graph->package_count; i++) {
        const struct cargo_package *package = &graph->packages[i];

        for (size_t k = 0; k < package->target_count; k++) {
            const struct cargo_target *target = &package->targets[k];

            if (target->kind != CARGO_LIB && target->kind != CARGO_BIN && target->kind != CARGO_EXAMPLE)
                continue;
            set_crate_name(&name, target->name);
            if (intern_find(all, text_slice(&name)) == INTERN_NONE)
                intern_add(own, text_slice(&name));
        }
    }
}

/* The crates of the workspace, and all that was built. */
static void collect_crates(const struct cargo_built *built, struct intern *own, struct intern *all)
{
    for (size_t i = 0; i < built->artifacts.items.count; i++) {
        const struct cargo_artifact *artifact = &built->artifacts.items.items[i];

        add_crate(all, artifact->target.name);
        if (cargo_graph_find(built->graph, artifact->package_id))
            add_crate(own, artifact->target.name);
    }
    add_other_members(built->graph, all, own);
}

/* The packages that a build script may have built C or assembly for. */
static struct package_folder *collect_packages(const struct cargo_built *built, size_t *count)
{
    struct package_folder *packages = memory_new(built->artifacts.items.count, sizeof(*packages));

    *count = 0;
    for (size_t i = 0; i < built->artifacts.items.count; i++) {
        const struct cargo_artifact *artifact = &built->artifacts.items.items[i];

        if (artifact->target.kind == CARGO_BUILD_SCRIPT)
            packages[(*count)++] = (struct package_folder){cargo_package_id_read(artifact->package_id).name,
                                                           slice_folder(artifact->manifest_path)};
    }
    return packages;
}

static void warn_without_debug_information(const struct options *options, const struct options *for_cargo,
                                           const struct cargo_built *built)
{
    SCOPED(text_done) struct text advice = {0};

    debug_advice_add(&advice, for_cargo, built);
    if (advice.length > 0)
        command_warn(options, "%s", text_string(&advice));
}

/* cargo says itself what it runs, but not what the user has put in front of it. */
static void say_what_runs(const struct options *options, const struct run_built *run)
{
    SCOPED(text_done) struct text words = {0};

    if (options_has(options, "quiet"))
        return;
    if (run->has_profile_time)
        command_note(options, "a benchmark of Criterion's: it runs with --profile-time 5, and saves nothing");
    if (run->runner.words.items.count == 0)
        return;
    for (const char *const *at = run->launch.argv; *at; at++) {
        text_add_string(&words, words.length > 0 ? " " : "`");
        text_add_shell(&words, slice_of(*at));
    }
    text_add_byte(&words, '`');
    command_status(options, "Recording", text_string(&words));
}

/* Of programs that have tests or benchmarks: the names of those that are to run. */
static const char *filter_of(const struct options *options, const struct run_built *run)
{
    bool has_benchmarks = run->harness != BENCH_NONE && run->harness != BENCH_OTHER;
    bool has_names = has_benchmarks || run->built.choice.harness == CARGO_TEST_HARNESS ||
                     run->built.artifact->target.kind == CARGO_TEST;

    return has_names && options->program_arguments ? bench_arguments_filter(options->program_arguments)
                                                   : NULL;
}

static const char *how_longer(const struct options *options, const struct run_built *run)
{
    static const char *const none[] = {NULL};

    return bench_arguments_for_longer(options->program_arguments ? options->program_arguments : none,
                                      run->harness);
}

static int record_built(const struct options *options, const struct record_settings *settings,
                        const struct run_built *run, struct collection *out, struct error *err)
{
    SCOPED(intern_done) struct intern own = {0};
    SCOPED(intern_done) struct intern all = {0};
    size_t package_count = 0;
    SCOPED(memory_free_at) struct package_folder *packages = collect_packages(&run->built, &package_count);
    struct record_request request = {
        .options = options,
        .settings = settings,
        .launch = run->launch,
        .own_crates = &own,
        .program_crates = &all,
        .packages = packages,
        .package_count = package_count,
        /* A benchmark goes on until it has measured enough, however fast it is. */
        .is_timed = run->harness != BENCH_NONE,
    };

    collect_crates(&run->built, &own, &all);
    say_what_runs(options, run);
    return record_make(&request, out, err);
}

/* perf's letter for a process is cargo's for a package, and no package is called by a number. */
static void hint_pid(const struct options *options, struct error *err)
{
    const char *package = options_value(options, "package");

    if (package && ascii_is_number(package))
        error_hint(err, "-p is cargo's and names a package; did you mean --pid %s?", package);
}

/*
 * libtest repeats each benchmark until it is sure of its time: how much of a run one of several is says how
 * often it was repeated.
 */
static int refuse_several_benchmarks(const struct run_built *run, struct error *err)
{
    SCOPED(intern_done) struct intern names = {0};
    size_t count = 0;

    if (run->harness != BENCH_LIBTEST)
        return 0;
    if (listed_benchmarks_read(&run->launch, &names, err) < 0)
        return -1;
    count = names.entries.count;
    if (count < 2)
        return 0;
    error_hint(err, "name one: -- --exact %s", intern_text(&names, 0).data);
    return error_set(err, ERROR_USAGE,
                     "--diff: libtest runs each of these %zu benchmarks as often as it chooses to, so their "
                     "shares of a run tell nothing",
                     count);
}

static int build_and_record(const struct options *options, const struct recording_of_side *side,
                            struct recorded *out, struct error *err)
{
    const struct record_settings *settings = side->settings;
    SCOPED(arena_done) struct arena arena = {0};
    SCOPED(options_done) struct options for_cargo = {0};
    SCOPED(run_built_done) struct run_built run = {0};
    enum sampler_stacks stacks = settings->recording.session.sampling.stacks;
    struct cargo_request request = {
        .verb = "cprof", .options = &for_cargo, .typed = options, .file_verb = "cprof exec --"};

    if (build_profile_choose(&arena, options, stacks == SAMPLER_STACKS_FRAME_POINTERS, &for_cargo, err) < 0 ||
        run_built_make(&request, &run, err) < 0) {
        hint_pid(options, err);
        return -1;
    }
    if (side->is_compared && refuse_several_benchmarks(&run, err) < 0)
        return -1;
    warn_without_debug_information(options, &for_cargo, &run.built);
    build_facts_add(&for_cargo, run.built.graph, &run.runner.platform, &out->facts);
    out->filter = filter_of(options, &run);
    out->how_longer = how_longer(options, &run);
    return record_built(options, settings, &run, &out->collection, err);
}

/* record_side_fn. What runs already was built before: cargo has nothing to do. */
static int record_side(void *context, const struct options *options, struct recorded *out, struct error *err)
{
    const struct recording_of_side *side = context;
    const struct record_settings *settings = side->settings;
    const char *const *program = options->program_arguments;

    if (!recording_watches(&settings->recording))
        return build_and_record(options, side, out, err);
    return record_make(&(struct record_request){.options = options,
                                                .settings = settings,
                                                .launch.argv = program && program[0] ? program : NULL},
                       &out->collection, err);
}

/* What runs already may be of any version. */
static int refuse_selection(const struct options *options, struct error *err)
{
    const struct option_spec *spec = cargo_first_option(options);
    const char *watching = options_has(options, "pid")   ? "pid"
                           : options_has(options, "cpu") ? "cpu"
                                                         : "all-cpus";

    if (!spec)
        return 0;
    error_hint(err, "leave out --%s to watch what runs, or --%s to record what cargo builds", spec->name,
               watching);
    return error_set(err, ERROR_USAGE, "--%s selects what cargo builds, but --%s watches what runs already",
                     spec->name, watching);
}

int cmd_record(const struct options *options, int *exit_code, struct error *err)
{
    SCOPED(record_settings_done) struct record_settings settings = {0};
    SCOPED(recorded_done) struct recorded recorded = {0};
    struct recording_of_side side = {&settings, options_has(options, "diff")};
    struct record_diff_request diff = {options, &settings, record_side, &side};
    bool has_sides = false;

    if (record_settings_read(options, &settings, err) < 0 || record_diff_read(options, &has_sides, err) < 0)
        return -1;
    if (recording_watches(&settings.recording) && refuse_selection(options, err) < 0)
        return -1;
    if (has_sides)
        return record_diff_run(&diff, exit_code, err);
    if (record_side(&side, options, &recorded, err) < 0)
        return -1;
    return record_tell(&(struct record_request){.options = options,
                                                .settings = &settings,
                                                .filter = recorded.filter,
                                                .how_longer = recorded.how_longer},
                       &recorded.collection, exit_code, err);
}
