#include "base/path.h"

#include <string.h>

#include "base/text.h"

/* Adds the parts of `name` to `path`, whose parts are each preceded by "/". */
static void add_parts(struct text *path, struct slice name)
{
    while (name.length > 0) {
        size_t slash = slice_find_byte(name, '/');
        struct slice part = slice_range(name, 0, slash);

        name = slice_range(name, slash + 1, name.length);
        if (slice_is(part, "..")) {
            size_t last = slice_find_last_byte(text_slice(path), '/');

            path->length = last;
        } else if (part.length > 0 && !slice_is(part, ".")) {
            text_add_byte(path, '/');
            text_add(path, part);
        }
    }
}

const char *path_join(struct arena *arena, const char *folder, struct slice name)
{
    SCOPED(text_done) struct text path = {0};

    if (!slice_starts_with(name, SLICE("/")))
        add_parts(&path, slice_of(folder));
    add_parts(&path, name);
    return path.length > 0 ? arena_copy(arena, text_slice(&path)) : "/";
}

const char *path_below(const char *folder, const char *path)
{
    size_t length = strlen(folder);

    if (!path || strncmp(path, folder, length) != 0)
        return NULL;
    return path[length] == '\0' ? path + length : path[length] == '/' ? path + length + 1 : NULL;
}

size_t path_common(const char *one, const char *other)
{
    size_t common = 0;
    size_t at = 0;

    while (one[at] && one[at] == other[at]) {
        if (one[at] == '/')
            common = at;
        at++;
    }
    /* Where one ends, or both do, between two parts. */
    return (one[at] == '\0' || one[at] == '/') && (other[at] == '\0' || other[at] == '/') ? at : common;
}
