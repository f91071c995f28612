#include "view/short_path.h"

#include "dwarf/source_path.h"
#include "revision/revision_path.h"

/* Where the part that the byte at `end` belongs to begins. */
static size_t part_start(struct slice path, size_t end)
{
    size_t slash = slice_find_last_byte(slice_range(path, 0, end), '/');

    return slash < end ? slash + 1 : 0;
}

/* The last folder src, as people keep projects in one, too; the length of the path when there is none. */
static size_t find_src(struct slice path)
{
    size_t found = path.length;
    size_t from = 0;

    while (true) {
        size_t at = from + slice_find(slice_range(path, from, path.length), SLICE("/src/"));

        if (at >= path.length)
            return found;
        found = at;
        from = at + 1;
    }
}

static struct slice short_local(struct slice path)
{
    size_t src = find_src(path);

    if (src == path.length) {
        size_t start = part_start(path, path.length);

        src = start > 0 ? start - 1 : 0;
    }
    return slice_range(path, part_start(path, src), path.length);
}

void short_path_add(struct text *text, struct slice path)
{
    SCOPED(text_done) struct text in_repository = {0};
    struct source_origin origin;

    if (revision_path_add(&in_repository, path))
        path = text_slice(&in_repository);
    origin = source_path_origin(path);
    if (origin.kind == SOURCE_LOCAL || origin.package.length == 0) {
        text_add(text, short_local(path));
        return;
    }
    text_add(text, origin.package);
    if (origin.version.length > 0)
        text_add_byte(text, '-');
    text_add(text, origin.version);
    text_add_byte(text, '/');
    text_add(text, origin.path);
}

void short_paths_init(struct short_paths *paths, const struct profile *profile)
{
    *paths = (struct short_paths){.profile = profile};
}

void short_paths_done(struct short_paths *paths)
{
    vec_done(&paths->items);
    arena_done(&paths->arena);
    text_done(&paths->scratch);
}

struct slice short_paths_get(struct short_paths *paths, uint32_t string)
{
    struct text *scratch = &paths->scratch;

    while (paths->items.count <= string)
        *vec_add(&paths->items) = (struct slice){0};
    if (!paths->items.items[string].data) {
        text_clear(scratch);
        short_path_add(scratch, profile_text(paths->profile, string));
        paths->items.items[string] = arena_slice(&paths->arena, text_slice(scratch));
    }
    return paths->items.items[string];
}
