#include "user_wrapper.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "cargo/toml.h"

/* How deep files may include others; cargo refuses those that include themselves. */
enum { INCLUDES_MAX = 16 };

/* A name without "/" is looked up in PATH; `folder` is what a path is relative to. */
static const char *resolve(struct arena *arena, const char *program, struct slice folder)
{
    if (!strchr(program, '/') || program[0] == '/')
        return program;
    return arena_format(arena, "%.*s/%s", SLICE_ARGUMENTS(folder), program);
}

/* build.rustc-wrapper in cargo's configuration, or NULL. */
static const char *setting_of(struct arena *arena, const struct toml_node *root)
{
    const struct toml_node *build = toml_find(root, SLICE("build"));
    const struct toml_node *wrapper =
        build && build->kind == TOML_TABLE ? toml_find(build, SLICE("rustc-wrapper")) : NULL;

    return wrapper && wrapper->kind == TOML_STRING ? arena_copy(arena, wrapper->text) : NULL;
}

static const char *setting_of_text(struct arena *arena, struct slice content)
{
    const struct toml_node *root = NULL;
    struct error ignored = {0};

    return toml_parse(arena, content, &root, &ignored) < 0 ? NULL : setting_of(arena, root);
}

static struct slice folder_of(struct slice path)
{
    return slice_range(path, 0, slice_find_last_byte(path, '/'));
}

static const char *setting_of_includer(struct arena *arena, const char *path, unsigned depth);

/* The last file of `include` that sets it: "PATH" or { path = "PATH" }, beside the file that includes. */
static const char *setting_of_includes(struct arena *arena, const struct toml_node *root, struct slice folder,
                                       unsigned depth)
{
    const struct toml_node *include = toml_find(root, SLICE("include"));
    const struct toml_node *item = include && include->kind == TOML_ARRAY ? include->first_child : NULL;
    const char *found = NULL;

    for (; item && depth > 0; item = item->next) {
        const struct toml_node *path = item->kind == TOML_TABLE ? toml_find(item, SLICE("path")) : item;
        const char *setting = NULL;

        if (!path || path->kind != TOML_STRING || path->text.length == 0)
            continue;
        setting = setting_of_includer(
            arena,
            path->text.data[0] == '/'
                ? arena_copy(arena, path->text)
                : arena_format(arena, "%.*s/%.*s", SLICE_ARGUMENTS(folder), SLICE_ARGUMENTS(path->text)),
            depth - 1);
        found = setting ? setting : found;
    }
    return found;
}

/* Of the file itself, else of those that it includes. A path is relative to the folder above the file's. */
static const char *setting_of_includer(struct arena *arena, const char *path, unsigned depth)
{
    SCOPED(text_done) struct text content = {0};
    struct slice folder = folder_of(slice_of(path));
    const struct toml_node *root = NULL;
    const char *setting = NULL;
    struct error ignored = {0};

    if (file_read(path, TOML_LIMIT_BYTES, &content, &ignored) < 0 ||
        toml_parse(arena, text_slice(&content), &root, &ignored) < 0)
        return NULL;
    setting = setting_of(arena, root);
    return setting ? resolve(arena, setting, folder_of(folder))
                   : setting_of_includes(arena, root, folder, depth);
}

/* The path is absolute. */
static const char *setting_of_file(struct arena *arena, const char *path)
{
    return setting_of_includer(arena, path, INCLUDES_MAX);
}

static bool is_file(const char *path)
{
    struct stat about;

    return stat(path, &about) == 0 && S_ISREG(about.st_mode);
}

/* FOLDER/config or FOLDER/config.toml, of which cargo takes the first. */
static const char *setting_of_folder(struct arena *arena, const char *folder)
{
    const char *path = arena_format(arena, "%s/config", folder);

    return setting_of_file(arena, is_file(path) ? path : arena_format(arena, "%s/config.toml", folder));
}

/* The last --config that sets it. */
static const char *setting_of_options(struct arena *arena, const struct options *options, struct slice here)
{
    const char *found = NULL;

    for (size_t i = 0; i < options->uses.count; i++) {
        const char *value = options->uses.items[i].value;
        const char *setting = NULL;

        if (strcmp(options->uses.items[i].spec->name, "config") != 0)
            continue;
        if (is_file(value)) {
            setting = setting_of_file(
                arena,
                value[0] == '/' ? value : arena_format(arena, "%.*s/%s", SLICE_ARGUMENTS(here), value));
        } else {
            setting = setting_of_text(arena, slice_of(value));
            setting = setting ? resolve(arena, setting, here) : NULL;
        }
        found = setting ? setting : found;
    }
    return found;
}

/* The files of this folder and those above it, the nearest first, then the user's own. */
static const char *setting_of_files(struct arena *arena, struct slice here)
{
    const char *home = getenv("CARGO_HOME");
    const char *setting = NULL;

    for (struct slice folder = here;;) {
        setting = setting_of_folder(arena, arena_format(arena, "%.*s/.cargo", SLICE_ARGUMENTS(folder)));
        if (setting)
            return setting;
        if (folder.length == 0)
            break;
        folder = slice_range(folder, 0, slice_find_last_byte(folder, '/'));
    }
    if (!home || !*home)
        home = arena_format(arena, "%s/.cargo", getenv("HOME") ? getenv("HOME") : "");
    return setting_of_folder(arena, home);
}

static const char *find(struct arena *arena, const struct options *options, struct slice here)
{
    const char *tool = getenv("RUSTC_WRAPPER");
    const char *variable = getenv("CARGO_BUILD_RUSTC_WRAPPER");
    const char *found = NULL;

    if (tool)
        return resolve(arena, tool, here);
    found = setting_of_options(arena, options, here);
    if (found)
        return found;
    if (variable)
        return resolve(arena, variable, here);
    return setting_of_files(arena, here);
}

const char *user_wrapper_find(struct arena *arena, const struct options *options)
{
    SCOPED(memory_free_at) char *here = getcwd(NULL, 0);
    const char *found = find(arena, options, slice_of(here));

    return found && *found ? arena_copy(arena, slice_of(found)) : NULL;
}
