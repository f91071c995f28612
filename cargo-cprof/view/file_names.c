#include "view/file_names.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/path.h"
#include "base/vec.h"
#include "dwarf/source_path.h"
#include "revision/revision_path.h"
#include "view/short_path.h"

/* A file that only its path tells from others. */
struct local_file {
    uint32_t string;
    struct slice path; /* without "." and ".." */
    struct slice short_path;
};

struct local_files {
    VEC(struct local_file) files;
};

/* The last part of a path, which is cut off; the root of an absolute one is an empty part. False: none left.
 */
static bool take_last_part(struct slice *path, struct slice *part)
{
    size_t slash = slice_find_last_byte(*path, '/');

    if (!path->data)
        return false;
    if (slash == path->length) {
        *part = *path;
        *path = (struct slice){0};
        return true;
    }
    *part = slice_range(*path, slash + 1, path->length);
    *path = slice_range(*path, 0, slash);
    return true;
}

static size_t count_parts(struct slice path)
{
    struct slice part;
    size_t count = 0;

    while (take_last_part(&path, &part))
        count++;
    return count;
}

/* The last `count` parts, or all. */
static struct slice last_parts(struct slice path, size_t count)
{
    struct slice rest = path;
    struct slice part = {path.data, 0};

    while (count-- > 0 && take_last_part(&rest, &part))
        ;
    return slice_range(path, (size_t)(part.data - path.data), path.length);
}

/* Their order from the last part on, and how many of those are the same; the end of a path comes first. */
static int compare_from_end(struct slice a, struct slice b, size_t *same, bool *is_end)
{
    struct slice of_a;
    struct slice of_b;

    for (*same = 0;; ++*same) {
        bool has_a = take_last_part(&a, &of_a);
        bool has_b = take_last_part(&b, &of_b);
        int order = 0;

        *is_end = !has_a || !has_b;
        if (*is_end)
            return (int)has_a - (int)has_b;
        order = slice_compare(of_a, of_b);
        if (order != 0)
            return order;
    }
}

static int compare_files(const void *left, const void *right)
{
    const struct local_file *a = left;
    const struct local_file *b = right;
    int order = slice_compare(a->short_path, b->short_path);
    size_t same = 0;
    bool is_end = false;

    return order != 0 ? order : compare_from_end(a->path, b->path, &same, &is_end);
}

/*
 * How many parts tell these files apart, which are in the order from their ends: neighbours have most in
 * common. One that another ends with is that one, as far as anybody knows. 0 when all are one.
 */
static size_t parts_needed(const struct local_file *files, size_t count)
{
    size_t needed = 0;

    for (size_t i = 1; i < count; i++) {
        size_t same = 0;
        bool is_end = false;

        (void)compare_from_end(files[i - 1].path, files[i].path, &same, &is_end);
        if (!is_end && same + 1 > needed)
            needed = same + 1;
    }
    return needed;
}

static void name_alike(struct file_names *names, const struct local_file *files, size_t count)
{
    size_t needed = parts_needed(files, count);

    for (size_t i = 0; i < count; i++) {
        bool is_longer = needed > count_parts(files[i].short_path);

        names->items[files[i].string] = is_longer ? last_parts(files[i].path, needed) : files[i].short_path;
    }
}

static void name_locals(struct file_names *names, struct local_files *locals)
{
    const struct local_file *files = locals->files.items;
    size_t end = 0;

    vec_sort(&locals->files, compare_files);
    for (size_t start = 0; start < locals->files.count; start = end) {
        for (end = start + 1; end < locals->files.count; end++)
            if (!slice_equal(files[start].short_path, files[end].short_path))
                break;
        name_alike(names, &files[start], end - start);
    }
}

/* The path without "." and "..", in the repository; one that is relative stays so. */
static struct slice plain_path(struct arena *arena, struct slice path)
{
    SCOPED(text_done) struct text in_repository = {0};
    struct slice plain = slice_of(path_join(arena, "/", path));

    if (revision_path_add(&in_repository, plain))
        return arena_slice(arena, text_slice(&in_repository));
    return slice_starts_with(path, SLICE("/")) ? plain : slice_range(plain, 1, plain.length);
}

static void add_file(struct file_names *names, struct local_files *locals, uint32_t string, struct slice path)
{
    SCOPED(text_done) struct text text = {0};
    struct source_origin origin = source_path_origin(path);
    struct slice plain = plain_path(&names->arena, path);
    struct slice *name = &names->items[string];

    short_path_add(&text, plain);
    *name = arena_slice(&names->arena, text_slice(&text));
    if (origin.kind == SOURCE_LOCAL || origin.package.length == 0)
        *vec_add(&locals->files) = (struct local_file){string, plain, *name};
}

struct file_names file_names_make(const struct profile *profile)
{
    struct file_names names = {.items = memory_new(profile->strings.entries.count + 1, sizeof(struct slice))};
    struct local_files locals = {0};

    for (size_t i = 0; i < profile->frames.count; i++) {
        uint32_t file = profile->frames.items[i].file;

        if (file != PROFILE_NO_STRING && !names.items[file].data)
            add_file(&names, &locals, file, profile_text(profile, file));
    }
    name_locals(&names, &locals);
    vec_done(&locals.files);
    return names;
}

void file_names_done(struct file_names *names)
{
    free(names->items);
    arena_done(&names->arena);
    *names = (struct file_names){0};
}

struct slice file_names_get(const struct file_names *names, uint32_t string)
{
    return names->items ? names->items[string] : (struct slice){0};
}
