#include "run_variables.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "cargo/manifest.h"

/* The folder that a path is in; empty for one directly below the root or without any. */
static struct slice parent_of(struct slice path)
{
    size_t end = slice_find_last_byte(path, '/');

    return slice_range(path, 0, end < path.length ? end : 0);
}

static void add_package(struct arena *arena, const struct cargo_package *package, struct cargo_words *out)
{
    static const char *const names[] = {"MAJOR", "MINOR", "PATCH"};
    struct slice folder = parent_of(package->manifest_path);
    struct slice rest = slice_range(package->version, 0, slice_find_byte(package->version, '+'));
    size_t pre = slice_find_byte(rest, '-');

    cargo_words_add(out, arena_format(arena, "CARGO_MANIFEST_DIR=%.*s", SLICE_ARGUMENTS(folder)));
    cargo_words_add(out,
                    arena_format(arena, "CARGO_MANIFEST_PATH=%.*s", SLICE_ARGUMENTS(package->manifest_path)));
    cargo_words_add(out, arena_format(arena, "CARGO_PKG_NAME=%.*s", SLICE_ARGUMENTS(package->name)));
    cargo_words_add(out, arena_format(arena, "CARGO_PKG_VERSION=%.*s", SLICE_ARGUMENTS(package->version)));
    cargo_words_add(out, arena_format(arena, "CARGO_PKG_VERSION_PRE=%.*s",
                                      SLICE_ARGUMENTS(slice_range(rest, pre < rest.length ? pre + 1 : pre,
                                                                  rest.length))));
    rest = slice_range(rest, 0, pre);
    for (size_t i = 0; i < ARRAY_COUNT(names); i++) {
        size_t dot = slice_find_byte(rest, '.');

        cargo_words_add(out, arena_format(arena, "CARGO_PKG_VERSION_%s=%.*s", names[i],
                                          SLICE_ARGUMENTS(slice_range(rest, 0, dot))));
        rest = slice_range(rest, dot < rest.length ? dot + 1 : dot, rest.length);
    }
}

/* Libraries of the workspace that are linked when it starts are beside a program, dependencies in deps/. */
static void add_library_path(struct arena *arena, struct slice program, struct cargo_words *out)
{
    const char *before = getenv("LD_LIBRARY_PATH");
    struct slice folder = parent_of(program);

    if (slice_ends_with(folder, SLICE("/deps")) || slice_ends_with(folder, SLICE("/examples")))
        folder = parent_of(folder);
    cargo_words_add(out, arena_format(arena, "LD_LIBRARY_PATH=%.*s:%.*s/deps%s%s", SLICE_ARGUMENTS(folder),
                                      SLICE_ARGUMENTS(folder), before && *before ? ":" : "",
                                      before ? before : ""));
}

static bool is_among(const struct cargo_words *words, struct slice name)
{
    for (size_t i = 0; i < words->items.count; i++) {
        struct slice word = slice_of(words->items.items[i]);

        if (slice_equal(slice_range(word, 0, slice_find_byte(word, '=')), name))
            return true;
    }
    return false;
}

static bool is_set(const struct toml_node *table, struct slice key)
{
    const struct toml_node *member = toml_find(table, key);

    return member && member->kind == TOML_BOOL && member->integer == 1;
}

/* NAME = "value", or NAME = { value = "…", force = …, relative = … }; `base` is what is relative to. */
static void add_variable(struct arena *arena, const struct toml_node *variable, struct slice base,
                         struct cargo_words *out)
{
    const struct toml_node *value = variable;
    bool is_forced = false;
    bool is_relative = false;

    if (variable->kind == TOML_TABLE) {
        value = toml_find(variable, SLICE("value"));
        is_forced = is_set(variable, SLICE("force"));
        is_relative = is_set(variable, SLICE("relative"));
    }
    if (!value || value->kind != TOML_STRING || is_among(out, variable->key) ||
        (!is_forced && getenv(variable->key.data)))
        return;
    cargo_words_add(out, arena_format(arena, "%.*s=%.*s%s%.*s", SLICE_ARGUMENTS(variable->key),
                                      SLICE_ARGUMENTS((is_relative ? base : SLICE(""))),
                                      is_relative ? "/" : "", SLICE_ARGUMENTS(value->text)));
}

/* `folder` is the one with config.toml in it; cargo takes a "config" beside it first. */
static void add_configured(struct arena *arena, const char *folder, struct cargo_words *out)
{
    static const char *const names[] = {"config", "config.toml"};

    for (size_t i = 0; i < ARRAY_COUNT(names); i++) {
        const char *path = arena_format(arena, "%s/%s", folder, names[i]);
        struct error ignored = {0};
        struct manifest configuration;
        const struct toml_node *env = NULL;

        if (manifest_read(arena, path, &configuration, &ignored) < 0)
            continue;
        env = toml_find(configuration.root, SLICE("env"));
        for (const struct toml_node *at = env ? env->first_child : NULL; at; at = at->next)
            add_variable(arena, at, parent_of(slice_of(folder)), out);
        return;
    }
}

static void add_environment(struct arena *arena, struct cargo_words *out)
{
    SCOPED(memory_free_at) char *here = getcwd(NULL, 0);
    const char *home = getenv("CARGO_HOME");
    const char *user = getenv("HOME");

    for (struct slice at = slice_of(here ? here : "");; at = parent_of(at)) {
        add_configured(arena, arena_format(arena, "%.*s/.cargo", SLICE_ARGUMENTS(at)), out);
        if (at.length == 0)
            break;
    }
    if (home && *home)
        add_configured(arena, home, out);
    else if (user)
        add_configured(arena, arena_format(arena, "%s/.cargo", user), out);
}

const char *const *run_variables(struct arena *arena, const struct cargo_built *built)
{
    SCOPED(cargo_words_done) struct cargo_words words = {0};
    const struct cargo_package *package = cargo_graph_find(&built->graph, built->artifact->package_id);
    const char **variables = NULL;

    if (package)
        add_package(arena, package, &words);
    add_library_path(arena, built->path, &words);
    add_environment(arena, &words);
    variables = ARENA_ARRAY(arena, words.items.count + 1, const char *);
    memcpy(variables, words.items.items, words.items.count * sizeof(*variables));
    return variables;
}
