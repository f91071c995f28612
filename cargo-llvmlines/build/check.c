#include "build/check.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "build/rustc_wrapper.h"
#include "cargo/build.h"
#include "cargo/selection_hint.h"
#include "cargo/user_wrapper.h"
#include "proc/ourselves.h"
#include "proc/run.h"

enum { LINE_BYTES_MAX = 16 * 1024 * 1024, VARIABLES_MAX = 8 };

const char *check_target_directory(struct arena *arena, const struct options *options,
                                   const struct cargo_graph *graph)
{
    return cargo_own_directory(arena, options, graph, "llvmlines");
}

static int refuse_directory(const char *directory, const char *part, int cause, struct error *err)
{
    bool is_whole = strcmp(directory, part) == 0;

    error_hint(err, "--target-dir DIR compiles elsewhere");
    return error_set(err, ERROR_IO, "cannot write to the target directory %s: %s%s%s", directory,
                     is_whole ? "" : part, is_whole ? "" : ": ", strerror(cause));
}

/* cargo would say it in several lines, or rustc for each unit: looks at what is there of the path already. */
static int check_writable(struct arena *arena, const char *directory, struct error *err)
{
    struct slice path = slice_of(directory);

    for (;;) {
        const char *part = arena_copy(arena, path);

        if (access(part, W_OK | X_OK) == 0)
            return 0;
        if (errno != ENOENT || path.length <= 1)
            return refuse_directory(directory, part, errno, err);
        path = slice_folder(path);
        if (path.length == 0)
            path = SLICE("/");
    }
}

/* The changes of the environment that make rustc's calls come to us. */
static int set_variables(struct arena *arena, const struct check_request *request, const char **variables,
                         struct error *err)
{
    const char *ourselves = NULL;
    const char *chain = user_wrapper_find(arena, request->options);
    size_t count = 0;

    if (ourselves_find(arena, &ourselves, err) < 0)
        return -1;
    variables[count++] = arena_format(arena, "RUSTC_WRAPPER=%s", ourselves);
    variables[count++] = RUSTC_WRAPPER_VARIABLE "=1";
    variables[count++] = arena_format(arena, RUSTC_WRAPPER_CHAIN_VARIABLE "=%s", chain ? chain : "");
    variables[count++] = request->keep_ir ? RUSTC_WRAPPER_KEEP_VARIABLE "=1" : RUSTC_WRAPPER_KEEP_VARIABLE;
    /* An incremental build has many modules, and those that did not change are not written. */
    variables[count++] = "CARGO_INCREMENTAL=0";
    variables[count] = NULL;
    return 0;
}

static void add_words(struct arena *arena, const struct check_request *request, const char *format,
                      struct cargo_words *words)
{
    cargo_words_add(words, cargo_program());
    cargo_words_add(words, "check");
    cargo_words_add(words, arena_format(arena, "--message-format=%s", format));
    cargo_words_add_build_in(arena, request->options, request->graph, request->target_directory, words);
    cargo_words_add(words, NULL);
}

static int take_line(void *context, struct slice line, struct error *err)
{
    return cargo_artifacts_add_line(context, line, err);
}

static void hint_selection(struct arena *arena, const struct check_request *request, struct error *err)
{
    SCOPED(cargo_selection_done) struct cargo_selection selection = {0};

    cargo_selection_read(arena, request->options, &selection);
    selection_hint_add(request->options, request->graph, &selection, err);
}

int check_run(const struct check_request *request, struct cargo_artifacts *artifacts, struct error *err)
{
    SCOPED(arena_done) struct arena arena = {0};
    SCOPED(cargo_words_done) struct cargo_words words = {0};
    const char *variables[VARIABLES_MAX];
    struct process_status status;

    if (check_writable(&arena, request->target_directory, err) < 0 ||
        set_variables(&arena, request, variables, err) < 0)
        return -1;
    add_words(&arena, request, "json-render-diagnostics", &words);
    cargo_words_tell(request->options, &words);
    if (run_lines(&(struct spawn){.argv = words.items.items, .environment = variables}, LINE_BYTES_MAX,
                  take_line, artifacts, &status, err) < 0)
        return error_wrap(err, "cargo check");
    if (status.exit_code && artifacts->items.count == 0)
        hint_selection(&arena, request, err);
    return process_check("cargo check", status, err);
}

static int take_diagnostic(void *context, struct slice line, struct error *err)
{
    (void)err;
    cargo_diagnostics_add_line(context, line);
    return 0;
}

void check_read_diagnostics(const struct check_request *request, struct cargo_diagnostics *out)
{
    SCOPED(arena_done) struct arena arena = {0};
    SCOPED(cargo_words_done) struct cargo_words words = {0};
    const char *variables[VARIABLES_MAX];
    struct spawn spawn = {.environment = variables, .error = SPAWN_NULL};
    struct process_status status;
    struct error ignored = {0};

    if (set_variables(&arena, request, variables, &ignored) < 0)
        return;
    add_words(&arena, request, "json", &words);
    spawn.argv = words.items.items;
    /* What it told before it failed was said, too. */
    if (run_lines(&spawn, LINE_BYTES_MAX, take_diagnostic, out, &status, &ignored) < 0)
        return;
}
