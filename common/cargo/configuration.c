#include "cargo/configuration.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"

/*
 * How deep files may include others (cargo refuses those that include themselves), and how many are read: one
 * that includes itself twice would be read without end.
 */
enum { INCLUDES_MAX = 16, FILES_MAX = 256 };

struct reader {
    struct arena *arena;
    const char *here; /* the current folder, absolute; "" for the root */
    size_t file_count;
    struct cargo_configuration *out;
};

static const char *absolute(struct arena *arena, struct slice path, struct slice folder)
{
    return slice_starts_with(path, SLICE("/"))
               ? arena_copy(arena, path)
               : arena_format(arena, "%.*s/%.*s", SLICE_ARGUMENTS(folder), SLICE_ARGUMENTS(path));
}

static void add_file(struct reader *reader, const char *path, bool is_option, unsigned depth);

/* "PATH" or { path = "PATH" }, beside the file that includes. The last counts most. */
static void add_includes(struct reader *reader, const struct toml_node *root, struct slice folder,
                         bool is_option, unsigned depth)
{
    const struct toml_node *include = toml_find(root, SLICE("include"));
    const struct toml_node *item = include && include->kind == TOML_ARRAY ? include->first_child : NULL;
    VEC(const char *) paths = {0};

    for (; item; item = item->next) {
        const struct toml_node *path = item->kind == TOML_TABLE ? toml_find(item, SLICE("path")) : item;

        if (path && path->kind == TOML_STRING && path->text.length > 0)
            *vec_add(&paths) = absolute(reader->arena, path->text, folder);
    }
    for (size_t i = paths.count; depth > 0 && i > 0; i--)
        add_file(reader, paths.items[i - 1], is_option, depth - 1);
    vec_done(&paths);
}

/* The file, then those that it includes. */
static void add_file(struct reader *reader, const char *path, bool is_option, unsigned depth)
{
    SCOPED(text_done) struct text content = {0};
    struct slice folder = slice_folder(slice_of(path));
    const struct toml_node *root = NULL;
    struct error ignored = {0};

    if (reader->file_count++ >= FILES_MAX || file_read(path, TOML_LIMIT_BYTES, &content, &ignored) < 0 ||
        toml_parse(reader->arena, text_slice(&content), &root, &ignored) < 0)
        return;
    *vec_add(&reader->out->parts) = (struct cargo_configuration_part){
        root, path, arena_copy(reader->arena, slice_folder(folder)), is_option};
    add_includes(reader, root, folder, is_option, depth);
}

/* FOLDER/config or FOLDER/config.toml, of which cargo takes the first. */
static void add_folder(struct reader *reader, const char *folder)
{
    const char *path = arena_format(reader->arena, "%s/config", folder);

    if (!file_is_regular(path))
        path = arena_format(reader->arena, "%s/config.toml", folder);
    add_file(reader, path, false, INCLUDES_MAX);
}

static void add_option(struct reader *reader, const char *value)
{
    const struct toml_node *root = NULL;
    struct error ignored = {0};

    if (file_is_regular(value))
        add_file(reader, absolute(reader->arena, slice_of(value), slice_of(reader->here)), true,
                 INCLUDES_MAX);
    else if (toml_parse(reader->arena, slice_of(value), &root, &ignored) == 0)
        *vec_add(&reader->out->parts) = (struct cargo_configuration_part){root, NULL, reader->here, true};
}

/* Those of this folder and of the ones above it, the nearest first, then the user's own. */
static void add_folders(struct reader *reader)
{
    const char *home = getenv("CARGO_HOME");
    const char *user = getenv("HOME");

    for (struct slice folder = slice_of(reader->here);; folder = slice_folder(folder)) {
        add_folder(reader, arena_format(reader->arena, "%.*s/.cargo", SLICE_ARGUMENTS(folder)));
        if (folder.length == 0)
            break;
    }
    if (!home || !*home)
        home = arena_format(reader->arena, "%s/.cargo", user ? user : "");
    add_folder(reader, home);
}

void cargo_configuration_read(struct arena *arena, const struct options *options,
                              struct cargo_configuration *out)
{
    SCOPED(memory_free_at) char *here = getcwd(NULL, 0);
    struct reader reader = {.arena = arena, .out = out};

    *out = (struct cargo_configuration){0};
    reader.here = arena_copy(arena, slice_of(here && strcmp(here, "/") != 0 ? here : ""));
    for (size_t i = options->uses.count; i > 0; i--)
        if (strcmp(options->uses.items[i - 1].spec->name, "config") == 0)
            add_option(&reader, options->uses.items[i - 1].value);
    add_folders(&reader);
}

void cargo_configuration_done(struct cargo_configuration *configuration)
{
    vec_done(&configuration->parts);
}

struct cargo_setting cargo_configuration_find(const struct cargo_configuration *configuration,
                                              const char *const *keys)
{
    for (size_t i = 0; i < configuration->parts.count; i++) {
        const struct toml_node *value = toml_find_path(configuration->parts.items[i].root, keys);

        if (value)
            return (struct cargo_setting){value, &configuration->parts.items[i]};
    }
    return (struct cargo_setting){0};
}

const char *cargo_setting_program(struct arena *arena, struct slice program, const char *folder)
{
    SCOPED(memory_free_at) char *here = NULL;

    if (slice_find_byte(program, '/') == program.length)
        return arena_copy(arena, program);
    if (folder)
        return absolute(arena, program, slice_of(folder));
    here = getcwd(NULL, 0);
    return absolute(arena, program, slice_of(here));
}
