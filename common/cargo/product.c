#include "cargo/product.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/compiler.h"
#include "base/path.h"
#include "cargo/unit_folder.h"

enum { PARTS_MAX = 7 };

/* What lies between the slashes. */
struct parts {
    struct slice items[PARTS_MAX];
    size_t count;
};

/* False when there are more than a product's path has. */
static bool split(struct slice rest, struct parts *out)
{
    while (rest.length > 0) {
        size_t end = slice_find_byte(rest, '/');

        if (out->count == PARTS_MAX)
            return false;
        out->items[out->count++] = slice_range(rest, 0, end);
        rest = slice_range(rest, end + 1, rest.length);
    }
    return true;
}

#define NOTES_OF_RUSTC ".rustc_info.json"

static bool has(struct arena *arena, struct slice folder, const char *name)
{
    return access(arena_format(arena, "%.*s/%s", SLICE_ARGUMENTS(folder), name), F_OK) == 0;
}

/* The second stands, too, in a target directory that cargo found instead of making it. */
static bool is_marked(struct arena *arena, struct slice folder)
{
    return has(arena, folder, "CACHEDIR.TAG") || has(arena, folder, NOTES_OF_RUSTC);
}

/* Of a target directory: cargo marks what it builds for a triple, in a folder by that name, like a cache,
 * too. */
static bool is_of_triple(struct arena *arena, struct slice folder)
{
    struct slice name = slice_file_name(folder);

    return slice_find_byte(name, '-') < name.length && !has(arena, folder, NOTES_OF_RUSTC) &&
           is_marked(arena, slice_folder(folder));
}

/* The nearest folder above the file that is marked as a target directory; empty when none is. */
static struct slice find_directory(struct arena *arena, struct slice path)
{
    struct slice folder = path;

    for (;;) {
        folder = slice_folder(folder);
        if (folder.length == 0 || slice_find_byte(folder, '/') == folder.length)
            return (struct slice){0};
        if (is_marked(arena, folder) && !is_of_triple(arena, folder))
            return folder;
    }
}

/* How many folders below that of the profile the file is in. */
static size_t inner_folders(const struct parts *parts)
{
    size_t folders = parts->count - 1;
    struct slice last = parts->items[folders - 1];
    const char *start = parts->items[0].data;
    struct slice own = cargo_unit_folder((struct slice){start, (size_t)(last.data + last.length - start)});
    size_t count = own.length > 0;

    for (size_t i = 0; i < own.length; i++)
        count += own.data[i] == '/';
    return slice_is(last, "examples") ? 1 : count;
}

/* Takes the parts between the target directory and the file's name. */
static bool read_folders(struct arena *arena, const struct parts *parts, struct cargo_product *out)
{
    size_t folders = parts->count - 1;
    const struct slice *at = parts->items;
    size_t own = inner_folders(parts);

    out->kind = CARGO_BIN;
    if (folders > own && own > 0)
        out->kind = slice_is(at[folders - own], "examples") ? CARGO_EXAMPLE : CARGO_OTHER;
    if (folders > own)
        folders -= own;
    if (folders == 0 || folders > 2)
        return false;
    /* A triple has a dash; other folders of two levels are not cargo's. */
    if (folders == 2 && slice_find_byte(at[0], '-') == at[0].length)
        return false;
    out->triple = folders == 2 ? arena_copy(arena, at[0]) : NULL;
    out->profile = slice_is(at[folders - 1], "debug") ? "dev" : arena_copy(arena, at[folders - 1]);
    return true;
}

/* "app" of "libapp.so", and what the ending says; false for what belongs to a program (NAME.d, NAME.dwp) and
 * for lib*.rlib, which no linker takes. */
static bool read_library(struct arena *arena, struct slice file, struct cargo_product *out)
{
    static const struct {
        struct slice ending;
        unsigned crate_types;
    } kinds[] = {
        {SLICE(".so"), CARGO_TYPE_CDYLIB | CARGO_TYPE_DYLIB | CARGO_TYPE_PROC_MACRO},
        {SLICE(".dylib"), CARGO_TYPE_CDYLIB | CARGO_TYPE_DYLIB | CARGO_TYPE_PROC_MACRO},
        {SLICE(".a"), CARGO_TYPE_STATICLIB},
    };
    const struct slice prefix = SLICE("lib");

    for (size_t i = 0; i < ARRAY_COUNT(kinds); i++)
        if (slice_starts_with(file, prefix) && slice_ends_with(file, kinds[i].ending)) {
            out->name =
                arena_copy(arena, slice_range(file, prefix.length, file.length - kinds[i].ending.length));
            out->crate_types = kinds[i].crate_types;
            return true;
        }
    return false;
}

/* `path` has no links, and is below `directory`. */
static bool read_path(struct arena *arena, const char *path, struct slice directory,
                      struct cargo_product *out)
{
    struct slice whole = slice_of(path);
    struct parts parts = {0};
    struct cargo_product found = {0};

    if (!split(slice_range(whole, directory.length + 1, whole.length), &parts) || parts.count < 2 ||
        !read_folders(arena, &parts, &found))
        return false;
    found.name = arena_copy(arena, parts.items[parts.count - 1]);
    if (strchr(found.name, '.'))
        found.kind = found.kind == CARGO_BIN && read_library(arena, slice_of(found.name), &found)
                         ? CARGO_LIB
                         : CARGO_OTHER;
    *out = found;
    return true;
}

bool cargo_product_find(struct arena *arena, const char *path, struct cargo_product *out)
{
    char resolved[PATH_MAX];
    struct slice directory = {0};

    if (!realpath(path, resolved))
        return false;
    directory = find_directory(arena, slice_of(resolved));
    return directory.length > 0 && read_path(arena, resolved, directory, out);
}

bool cargo_product_find_in(struct arena *arena, const char *path, const char *directory,
                           struct cargo_product *out)
{
    char resolved[PATH_MAX];
    char above[PATH_MAX];

    if (!realpath(path, resolved) || !realpath(directory, above) || !path_below(above, resolved))
        return false;
    /* Another target directory in this one, such as those of our own. */
    if (find_directory(arena, slice_of(resolved)).length > strlen(above))
        return false;
    return read_path(arena, resolved, slice_of(above), out);
}

const char *cargo_product_folder(const char *profile)
{
    if (strcmp(profile, "dev") == 0 || strcmp(profile, "test") == 0)
        return "debug";
    return strcmp(profile, "bench") == 0 ? "release" : profile;
}
