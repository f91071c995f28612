#include "cmd_record.h"

#include <string.h>

#include "build_profile.h"
#include "record.h"
#include "run_variables.h"

/* A crate's name has '_' for '-'. */
static void add_crate(struct intern *crates, struct slice target)
{
    SCOPED(text_done) struct text name = {0};

    text_add(&name, target);
    for (size_t i = 0; i < name.length; i++)
        if (name.data[i] == '-')
            name.data[i] = '_';
    intern_add(crates, text_slice(&name));
}

/* What was built: the crates of the workspace, and all. */
static void collect_crates(const struct cargo_built *built, struct intern *own, struct intern *all)
{
    for (size_t i = 0; i < built->artifacts.items.count; i++) {
        const struct cargo_artifact *artifact = &built->artifacts.items.items[i];

        add_crate(all, artifact->target.name);
        if (cargo_graph_find(&built->graph, artifact->package_id))
            add_crate(own, artifact->target.name);
    }
}

/* Tests and benchmarks run where their package is, programs and examples where we are, as cargo has it. */
static const char *folder_of(struct arena *arena, const struct cargo_built *built)
{
    const struct cargo_artifact *artifact = built->artifact;
    const struct cargo_package *package = cargo_graph_find(&built->graph, artifact->package_id);
    bool is_program = artifact->target.kind == CARGO_BIN || artifact->target.kind == CARGO_EXAMPLE;

    if (!package || (is_program && !artifact->is_test))
        return NULL;
    return arena_copy(
        arena, slice_range(package->manifest_path, 0, slice_find_last_byte(package->manifest_path, '/')));
}

/* The program and what follows "--"; a benchmark is told that it is one, as `cargo bench` does. */
static const char *const *arguments_of(struct arena *arena, const struct cargo_built *built,
                                       const struct options *options)
{
    const char *const *given = options->program_arguments;
    bool wants_bench = built->artifact->target.kind == CARGO_BENCH;
    size_t count = 0;
    const char **arguments = NULL;

    while (given && given[count])
        count++;
    arguments = ARENA_ARRAY(arena, count + 3, const char *);
    arguments[0] = built->path.data;
    for (size_t i = 0; i < count; i++) {
        arguments[i + 1] = given[i];
        wants_bench = wants_bench && strcmp(given[i], "--bench") != 0;
    }
    if (wants_bench)
        arguments[count + 1] = "--bench";
    return arguments;
}

static void warn_without_debug_information(const struct options *options, const struct cargo_built *built)
{
    if (slice_is(built->artifact->debuginfo, "0"))
        command_warn(options,
                     "profile %s has no debug information: inlined calls and lines are missing; "
                     "--config profile.%s.debug=1 --config profile.%s.strip=false adds it",
                     built->selection.profile, built->selection.profile, built->selection.profile);
}

static int record_built(const struct options *options, struct record_settings settings,
                        const struct cargo_built *built, int *exit_code, struct error *err)
{
    SCOPED(arena_done) struct arena arena = {0};
    SCOPED(intern_done) struct intern own = {0};
    SCOPED(intern_done) struct intern all = {0};
    struct record_request request = {
        .options = options,
        .settings = settings,
        .launch = {arguments_of(&arena, built, options), run_variables(&arena, built),
                   folder_of(&arena, built)},
        .own_crates = &own,
        .program_crates = &all,
    };

    collect_crates(built, &own, &all);
    warn_without_debug_information(options, built);
    if (!options_has(options, "quiet"))
        command_status(options, "Recording", built->path.data);
    return record_run(&request, exit_code, err);
}

int cmd_record(const struct options *options, int *exit_code, struct error *err)
{
    SCOPED(options_done) struct options for_cargo = {0};
    SCOPED(cargo_built_done) struct cargo_built built = {0};
    struct record_settings settings;
    struct cargo_request request = {
        .verb = "cprof", .options = &for_cargo, .typed = options, .file_verb = "cprof exec --"};

    if (record_settings_read(options, &settings, err) < 0)
        return -1;
    if (build_profile_choose(options, &for_cargo, err) < 0)
        return -1;
    if (cargo_build(&request, &built, err) < 0)
        return -1;
    return record_built(options, settings, &built, exit_code, err);
}
