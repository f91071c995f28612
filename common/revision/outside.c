#include "revision/outside.h"

#include <string.h>
#include <unistd.h>

#include "base/path.h"
#include "cargo/manifest.h"

/* More than people have; a chain of packages may lead in a circle of links. */
enum { OUTSIDE_MAX = 1000 };

void outside_done(struct outside *outside)
{
    vec_done(&outside->items);
}

void outside_add(struct outside *outside, const char *path)
{
    for (size_t i = 0; i < outside->items.count; i++)
        if (strcmp(outside->items.items[i], path) == 0)
            return;
    if (outside->items.count < OUTSIDE_MAX)
        *vec_add(&outside->items) = path;
}

const char *outside_folder_of(struct arena *arena, const char *file)
{
    static const struct {
        const char *end;
        const char *folder;
    } files[] = {{"/Cargo.toml", ".."}, {"/.cargo/config.toml", "../.."}, {"/.cargo/config", "../.."}};

    for (size_t i = 0; i < ARRAY_COUNT(files); i++)
        if (slice_ends_with(slice_of(file), slice_of(files[i].end)))
            return path_join(arena, file, slice_of(files[i].folder));
    return NULL;
}

void outside_add_of(struct arena *arena, const char *root, const char *file, const char *folder,
                    struct outside *outside)
{
    SCOPED(arena_done) struct arena scratch = {0};
    SCOPED(manifest_paths_done) struct manifest_paths paths = {0};
    struct manifest manifest;
    struct error unread = {0};

    if (manifest_read(&scratch, file, &manifest, &unread) < 0)
        return;
    manifest_add_paths(&manifest, &paths);
    for (size_t i = 0; i < paths.items.count; i++) {
        const char *path = path_join(&scratch, folder, paths.items.items[i]);

        if (!path_below(root, path))
            outside_add(outside, arena_copy(arena, slice_of(path)));
    }
}

bool outside_is_within(const struct outside *outside, const char *path)
{
    for (size_t i = 0; i < outside->items.count; i++) {
        const char *below = path_below(outside->items.items[i], path);

        if (below && below[0] != '\0')
            return true;
    }
    return false;
}

const char *outside_top(struct arena *arena, const char *root, const char *path)
{
    size_t common = path_common(root, path);
    struct slice rest = slice_range(slice_of(path), common + 1, strlen(path));

    if (rest.length == 0)
        return NULL;
    return arena_copy(arena, slice_range(slice_of(path), 0, common + 1 + slice_find_byte(rest, '/')));
}

/* What the manifests name from the package upwards, as far as nobody comes by on the way to the repository.
 */
static void follow(struct arena *arena, const char *root, const char *package, struct outside *outside)
{
    const char *top = outside_top(arena, root, package);

    for (const char *at = package; top && path_below(top, at); at = path_join(arena, at, SLICE("..")))
        outside_add_of(arena, root, arena_format(arena, "%s/Cargo.toml", at), at, outside);
}

void outside_follow(struct arena *arena, const char *root, struct outside *outside)
{
    size_t kept = 0;

    for (size_t i = 0; i < outside->items.count; i++) {
        const char *path = outside->items.items[i];

        if (!outside_top(arena, root, path) || access(path, F_OK) < 0)
            continue;
        outside->items.items[kept++] = path;
        follow(arena, root, path, outside);
    }
    outside->items.count = kept;
}
