#include "user_wrapper.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "cargo/toml.h"

/* Where the parts of a setting's value are looked for: what a path with "/" is relative to. */
static const char *resolve(struct arena *arena, const char *program, struct slice folder)
{
    if (!strchr(program, '/') || program[0] == '/')
        return program;
    return arena_format(arena, "%.*s/%s", SLICE_ARGUMENTS(folder), program);
}

/* build.rustc-wrapper in a text of cargo's configuration, or NULL. */
static const char *setting_of(struct arena *arena, struct slice content)
{
    const struct toml_node *root = NULL;
    const struct toml_node *build = NULL;
    const struct toml_node *wrapper = NULL;
    struct error ignored = {0};

    if (toml_parse(arena, content, &root, &ignored) < 0)
        return NULL;
    build = toml_find(root, SLICE("build"));
    wrapper = build && build->kind == TOML_TABLE ? toml_find(build, SLICE("rustc-wrapper")) : NULL;
    return wrapper && wrapper->kind == TOML_STRING ? arena_copy(arena, wrapper->text) : NULL;
}

static const char *setting_of_file(struct arena *arena, const char *path)
{
    SCOPED(text_done) struct text content = {0};
    struct error ignored = {0};

    if (file_read(path, TOML_LIMIT_BYTES, &content, &ignored) < 0)
        return NULL;
    return setting_of(arena, text_slice(&content));
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
        setting = is_file(value) ? setting_of_file(arena, value) : setting_of(arena, slice_of(value));
        if (setting)
            found = resolve(arena, setting, here);
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
            return resolve(arena, setting, folder);
        if (folder.length == 0)
            break;
        folder = slice_range(folder, 0, slice_find_last_byte(folder, '/'));
    }
    if (!home || !*home)
        home = arena_format(arena, "%s/.cargo", getenv("HOME") ? getenv("HOME") : "");
    setting = setting_of_folder(arena, home);
    /* As for the others: relative to the folder that holds the one with the file. */
    return setting ? resolve(arena, setting,
                             slice_range(slice_of(home), 0, slice_find_last_byte(slice_of(home), '/')))
                   : NULL;
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
