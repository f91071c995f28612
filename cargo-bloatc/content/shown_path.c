#include "content/shown_path.h"

#include "dwarf/source_path.h"
#include "revision/revision_path.h"

void shown_paths_done(struct shown_paths *paths)
{
    vec_done(&paths->roots);
}

static bool is_absolute(struct slice path)
{
    return slice_starts_with(path, SLICE("/"));
}

static void add_root(struct shown_paths *paths, struct slice folder)
{
    for (size_t i = 0; i < paths->roots.count; i++)
        if (slice_equal(paths->roots.items[i], folder))
            return;
    if (is_absolute(folder))
        *vec_add(&paths->roots) = folder;
}

/* Cargo compiles the crates of a workspace in its root, by relative paths. */
static void add_workspace(struct shown_paths *paths, const struct unit *unit)
{
    if (unit_crate(unit).length > 0 && !is_absolute(unit->name))
        add_root(paths, unit->directory);
}

/* Local crates that are of no workspace are compiled in their own folder, by absolute paths. */
static void add_package(struct shown_paths *paths, const struct unit *unit)
{
    if (unit_crate(unit).length > 0 && source_path_is_below(unit->name, unit->directory) &&
        source_path_origin(unit_root(unit)).kind == SOURCE_LOCAL)
        add_root(paths, slice_folder(unit->directory));
}

void shown_paths_read(const struct units *units, struct shown_paths *out)
{
    for (size_t i = 0; i < units->items.count; i++)
        add_workspace(out, &units->items.items[i]);
    for (size_t i = 0; i < units->items.count; i++)
        add_package(out, &units->items.items[i]);
}

/* Registries, git and the standard library. */
static struct slice known_end(struct slice path)
{
    enum { REGISTRIES = 2 };
    static const struct slice marks[] = {SLICE("/registry/src/"), SLICE("/cargo/registry/"),
                                         SLICE("/git/checkouts/"), SLICE("/rust/deps/")};
    size_t at = slice_find(path, SLICE("/library/"));

    if (at < path.length && (slice_starts_with(path, SLICE("/rustc/")) ||
                             slice_ends_with(slice_range(path, 0, at), SLICE("/rustlib/src/rust"))))
        return slice_range(path, at + 1, path.length);
    for (size_t i = 0; i < ARRAY_COUNT(marks); i++) {
        struct slice rest;

        at = slice_find(path, marks[i]);
        if (at == path.length)
            continue;
        rest = slice_range(path, at + marks[i].length, path.length);
        /* Below the registry's own folder. */
        return i < REGISTRIES ? slice_range(rest, slice_find_byte(rest, '/') + 1, rest.length) : rest;
    }
    return path;
}

static struct slice shown_end(const struct shown_paths *paths, struct slice path)
{
    struct slice end = known_end(path);

    for (size_t i = 0; end.length == path.length && i < paths->roots.count; i++)
        if (source_path_is_below(path, paths->roots.items[i]))
            return slice_range(path, paths->roots.items[i].length + 1, path.length);
    return end;
}

/* How long the path is without its first folder, or its first '/'. */
static size_t length_below(struct slice path)
{
    return path.length - slice_find_byte(path, '/') - 1;
}

/* `#[path = "./x.rs"]` makes "src/./x.rs", which is the file "src/x.rs". */
static void add_without_dots(struct text *text, struct slice path)
{
    static const struct slice dot = SLICE("/./");

    for (size_t at = slice_find(path, dot); at < path.length; at = slice_find(path, dot)) {
        text_add(text, slice_range(path, 0, at));
        path = slice_range(path, at + dot.length - 1, path.length);
    }
    text_add(text, path);
}

/* Of a checkout the folders above its files say nothing: "tree" is not what the repository is called. */
void shown_path_add(struct text *text, const struct shown_paths *paths, struct slice path)
{
    SCOPED(text_done) struct text in_repository = {0};
    struct slice end = shown_end(paths, path);

    if (revision_path_add(&in_repository, path) && end.length > length_below(text_slice(&in_repository)))
        end = text_slice(&in_repository);
    add_without_dots(text, end);
}
