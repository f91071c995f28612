#include "view/short_path.h"

#include "dwarf/source_path.h"

/* Where the part that the byte at `end` belongs to begins. */
static size_t part_start(struct slice path, size_t end)
{
    size_t slash = slice_find_last_byte(slice_range(path, 0, end), '/');

    return slash < end ? slash + 1 : 0;
}

static struct slice short_local(struct slice path)
{
    size_t src = slice_find(path, SLICE("/src/"));

    if (src == path.length) {
        size_t start = part_start(path, path.length);

        src = start > 0 ? start - 1 : 0;
    }
    return slice_range(path, part_start(path, src), path.length);
}

void short_path_add(struct text *text, struct slice path)
{
    struct source_origin origin = source_path_origin(path);

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
