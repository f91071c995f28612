#include "cargo/build.h"

#include <errno.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "cargo/build_directory.h"
#include "cargo/one_platform.h"
#include "cargo/product.h"
#include "cargo/selection_hint.h"

enum { LIMIT_LINE_BYTES = 16 * 1024 * 1024 };

void cargo_built_done(struct cargo_built *built)
{
    cargo_artifacts_done(&built->artifacts);
    if (built->own_graph)
        cargo_graph_done(built->own_graph);
    cargo_selection_done(&built->selection);
    arena_done(&built->arena);
    *built = (struct cargo_built){0};
}

/* Where lines go. */
struct receiver {
    struct cargo_artifacts *artifacts;
    const struct cargo_run *run;           /* NULL: nothing is run */
    struct cargo_diagnostics *diagnostics; /* NULL: not wanted */
};

static int take_line(void *context, struct slice line, struct error *err)
{
    const struct receiver *receiver = context;

    if (receiver->run && receiver->run->take_line(receiver->run->context, line, err) < 0)
        return -1;
    if (receiver->diagnostics)
        cargo_diagnostics_add_line(receiver->diagnostics, line);
    return cargo_artifacts_add_line(receiver->artifacts, line, err);
}

/* The command of cargo's that runs the target. */
static const char *verb_of(const struct cargo_choice *choice)
{
    if (choice->harness == CARGO_TEST_HARNESS || choice->target->kind == CARGO_TEST)
        return "test";
    if (choice->harness == CARGO_BENCH_HARNESS || choice->target->kind == CARGO_BENCH)
        return "bench";
    return "run";
}

/* Exactly one target is named, however it was selected. */
static void add_target(struct arena *arena, const struct cargo_target *target, struct cargo_words *words)
{
    if (target->kind == CARGO_LIB || target->kind == CARGO_PROC_MACRO)
        cargo_words_add(words, "--lib");
    else
        cargo_words_add(words,
                        arena_format(arena, "--%s=%s", cargo_kind_option(target->kind), target->name.data));
}

/*
 * `cargo run` takes no more than one package, and no pattern; `cargo test` and `cargo bench` would run the
 * targets with this name, or the libraries, of all packages, one after the other.
 */
static void add_package(const struct cargo_request *request, struct cargo_built *built,
                        struct cargo_words *words)
{
    const struct cargo_package *package = built->choice.package;
    SCOPED(cargo_words_done) struct cargo_words given = {0};
    bool is_run = slice_is(slice_of(verb_of(&built->choice)), "run");

    cargo_words_add_packages(&built->arena, request->options, &given);
    if (given.items.count > 0 || (!is_run && built->graph->package_count > 1))
        cargo_words_add(
            words, arena_format(&built->arena, "--package=%s@%s", package->name.data, package->version.data));
}

static void add_run_words(const struct cargo_request *request, struct cargo_built *built,
                          struct cargo_words *words)
{
    cargo_words_add(words, verb_of(&built->choice));
    cargo_words_add(words, "--message-format=json-render-diagnostics");
    add_package(request, built, words);
    add_target(&built->arena, built->choice.target, words);
    cargo_words_add_settings(&built->arena, request->options, words);
}

const char *cargo_own_directory(struct arena *arena, const struct options *options,
                                const struct cargo_graph *graph, const char *name)
{
    const char *given = options_value(options, "target-dir");
    SCOPED(memory_free_at) char *here = getcwd(NULL, 0);

    if (!given)
        return arena_format(arena, "%.*s/%s", SLICE_ARGUMENTS(graph->target_directory), name);
    if (given[0] == '/')
        return arena_format(arena, "%s/%s", given, name);
    return arena_format(arena, "%s/%s/%s", here ? here : ".", given, name);
}

/* cargo takes --target-dir once; of one setting twice the last counts. */
void cargo_words_add_build_in(struct arena *arena, const struct options *options,
                              const struct cargo_graph *graph, const char *directory,
                              struct cargo_words *words)
{
    SCOPED(cargo_words_done) struct cargo_words given = {0};
    SCOPED(text_done) struct text setting = {0};
    const char *value = cargo_build_directory_value(directory);

    cargo_words_add_build(arena, options, &given);
    for (size_t i = 0; i < given.items.count; i++)
        if (!slice_starts_with(slice_of(given.items.items[i]), SLICE("--target-dir=")))
            cargo_words_add(words, given.items.items[i]);
    cargo_words_add(words, arena_format(arena, "--target-dir=%s", directory));
    /* Without the setting they go to the target directory, unless the user's settings have them elsewhere. */
    if (graph->build_directory.length == 0 || !value)
        return;
    text_add_string(&setting, "--config=build.build-dir=\"");
    text_add_json(&setting, slice_of(value));
    text_add_byte(&setting, '"');
    cargo_words_add(words, arena_copy(arena, text_slice(&setting)));
}

static void add_given_words(const struct cargo_request *request, struct cargo_built *built,
                            struct cargo_words *words)
{
    const char *own = NULL;

    if (request->own_directory)
        own = cargo_own_directory(&built->arena, request->options, built->graph, request->own_directory);
    if (own)
        cargo_words_add_build_in(&built->arena, request->options, built->graph, own, words);
    else
        cargo_words_add_build(&built->arena, request->options, words);
}

static void add_build_words(const struct cargo_request *request, struct cargo_built *built,
                            struct cargo_words *words)
{
    const struct cargo_target *target = built->choice.target;

    cargo_words_add(words, "build");
    cargo_words_add(words, request->diagnostics ? "--message-format=json"
                                                : "--message-format=json-render-diagnostics");
    add_given_words(request, built, words);
    /* The packages stay as they were asked for: another set could mean other features, and so a rebuild. */
    if (target && !cargo_selection_names_targets(&built->selection))
        cargo_words_add(words, target->kind == CARGO_LIB
                                   ? "--lib"
                                   : arena_format(&built->arena, "--bin=%s", target->name.data));
}

/* Without a choice cargo has only to say why there is none. */
static bool has_run(const struct cargo_request *request, const struct cargo_built *built)
{
    return request->run && built->choice.target;
}

static void add_words(const struct cargo_request *request, struct cargo_built *built,
                      struct cargo_words *words)
{
    const char *const *argument = has_run(request, built) ? request->run->arguments : NULL;

    cargo_words_add(words, cargo_program());
    if (has_run(request, built))
        add_run_words(request, built, words);
    else
        add_build_words(request, built, words);
    for (const char *const *extra = request->extra; extra && *extra; extra++)
        cargo_words_add(words, *extra);
    if (argument && *argument)
        cargo_words_add(words, "--");
    for (; argument && *argument; argument++)
        cargo_words_add(words, *argument);
    cargo_words_add(words, NULL);
}

/* `cargo run -q` takes the status of what cargo starts, rustc above all, for the program's, and says nothing.
 */
static bool was_silent(const struct cargo_request *request, const struct cargo_built *built,
                       struct process_status status)
{
    enum { SAID_WHY = 101 };

    return has_run(request, built) && options_has(request->options, "quiet") && status.exit_code != SAID_WHY;
}

static bool may_not_be_written(const char *path)
{
    return access(path, W_OK) < 0 && (errno == EACCES || errno == EROFS);
}

/* Whether the file, or the nearest folder above it that is there, may not be written. */
static bool is_closed(const char *path)
{
    SCOPED(text_done) struct text nearest = {0};

    text_add_string(&nearest, path);
    while (access(text_string(&nearest), F_OK) < 0 && errno == ENOENT) {
        size_t slash = slice_find_last_byte(text_slice(&nearest), '/');

        /* Without one it is below where we are, with the first alone below the root. */
        if (slash == nearest.length || slash == 0)
            return may_not_be_written(slash == 0 ? "/" : ".");
        nearest.length = slash;
    }
    return may_not_be_written(text_string(&nearest));
}

/*
 * cargo names a file of its own and the system's error, no more: a target directory that root built in, or of
 * a read-only file system. False when it may be written.
 */
static bool hint_closed(const struct cargo_request *request, struct cargo_built *built, struct error *err)
{
    const char *triple = options_value(request->options, "target");
    const char *given = options_value(request->options, "target-dir");
    const struct cargo_target *target = built->choice.target;
    const char *folder = given ? given : arena_copy(&built->arena, built->graph->target_directory);
    const char *program = NULL;
    SCOPED(text_done) struct text shown = {0};

    if (request->own_directory)
        folder = cargo_own_directory(&built->arena, request->options, built->graph, request->own_directory);
    folder = arena_format(&built->arena, "%s/%s%s%s", folder, triple ? triple : "", triple ? "/" : "",
                          cargo_product_folder(built->selection.profile));
    /* The first file that cargo opens. */
    if (!is_closed(arena_format(&built->arena, "%s/.cargo-lock", folder)))
        return false;
    if (target && target->kind == CARGO_BIN)
        program = arena_format(&built->arena, "%s/%s", folder, target->name.data);
    if (program && access(program, F_OK) == 0) {
        text_format(&shown, "; what is built already is looked at by its file: cargo %s ",
                    request->file_verb ? request->file_verb : request->verb);
        text_add_shell(&shown, slice_of(file_from_here(program)));
    }
    error_hint(err, "%s cannot be written: --target-dir DIR builds elsewhere%s", file_from_here(folder),
               shown.length ? text_string(&shown) : "");
    return true;
}

static int explain_failure(const struct cargo_request *request, struct cargo_built *built,
                           const char *command, struct process_status status, struct error *err)
{
    if (was_silent(request, built, status))
        error_hint(err, "without -q cargo says why");
    /* With an unknown profile cargo stops before it builds anything. */
    else if (built->artifacts.items.count == 0 && !hint_closed(request, built, err))
        selection_hint_add(request->options, built->graph, &built->selection, err);
    return process_check(command, status, err);
}

static int run_build(const struct cargo_request *request, struct cargo_built *built, struct error *err)
{
    SCOPED(cargo_words_done) struct cargo_words words = {0};
    struct receiver receiver = {&built->artifacts, has_run(request, built) ? request->run : NULL,
                                request->diagnostics};
    const char *command = NULL;
    struct spawn spawn = {0};
    struct process_status status;

    add_words(request, built, &words);
    cargo_words_tell(request->options, &words);
    command = arena_format(&built->arena, "cargo %s", words.items.items[1]);
    spawn = (struct spawn){.argv = words.items.items, .environment = request->environment};
    if (run_lines(&spawn, LIMIT_LINE_BYTES, take_line, &receiver, &status, err) < 0)
        return error_wrap(err, "%s", command);
    return status.exit_code ? explain_failure(request, built, command, status, err) : 0;
}

static int find_graph(const struct cargo_request *request, struct cargo_built *built, struct error *err)
{
    struct cargo_graph *own = NULL;

    built->graph = request->graph;
    if (built->graph)
        return 0;
    own = ARENA_ARRAY(&built->arena, 1, struct cargo_graph);
    if (cargo_graph_load(request->options, own, err) < 0)
        return -1;
    built->own_graph = own;
    built->graph = own;
    return 0;
}

static int build(const struct cargo_request *request, struct cargo_built *built, struct error *err)
{
    const char *file_verb = request->file_verb ? request->file_verb : request->verb;

    cargo_selection_read(&built->arena, request->options, &built->selection);
    built->selection.wants_program = request->run;
    if (request->typed)
        built->selection.options = request->typed;
    if (find_graph(request, built, err) < 0 ||
        (!request->is_unlinked &&
         cargo_choose(request->verb, built->graph, &built->selection, &built->choice, err) < 0) ||
        cargo_one_platform_check(request->options, err) < 0 || run_build(request, built, err) < 0)
        return -1;
    if (request->is_unlinked)
        return 0;
    return cargo_artifacts_pick(file_verb, &built->artifacts, &built->choice, &built->artifact, &built->path,
                                err);
}

int cargo_build(const struct cargo_request *request, struct cargo_built *out, struct error *err)
{
    struct cargo_built built = {0};

    if (build(request, &built, err) < 0) {
        cargo_built_done(&built);
        return -1;
    }
    *out = built;
    return 0;
}
