#include "revision/surroundings.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/folder.h"
#include "base/path.h"
#include "base/remove.h"

static const char *around(struct arena *arena, const struct revision_slot *slot)
{
    return arena_format(arena, "%s/around", slot->folder);
}

static int fail(const char *what, const char *path, struct error *err)
{
    return error_set(err, ERROR_IO, "%s %s: %s", what, path, strerror(errno));
}

int surroundings_remove(struct arena *arena, const struct revision_slot *slot, struct error *err)
{
    const char *tree = revision_slot_tree(arena, slot);
    const char *surroundings = around(arena, slot);
    char target[PATH_MAX];
    ssize_t length = readlink(tree, target, sizeof(target));

    if (length > 0) {
        const char *place = path_join(arena, slot->folder, (struct slice){target, (size_t)length});

        if (unlink(tree) < 0)
            return fail("remove", tree, err);
        /* When it is not there the checkout is made anew. */
        if (path_below(surroundings, place) && rename(place, tree) < 0 && errno != ENOENT)
            return fail("move", place, err);
    }
    return remove_all(surroundings, NULL, err);
}

static int add_link(struct arena *arena, const char *surroundings, const char *top, struct error *err)
{
    const char *link = arena_format(arena, "%s%s", surroundings, top);

    return symlink(top, link) < 0 && errno != EEXIST ? fail("link", link, err) : 0;
}

/* All folders on the way are new ones of ours: nothing leads through a link to where the user's files are. */
static int move(struct arena *arena, const struct revision_slot *slot, const char *root, struct error *err)
{
    const char *tree = revision_slot_tree(arena, slot);
    const char *place = arena_format(arena, "%s%s", around(arena, slot), root);

    if (folder_make(path_join(arena, place, SLICE("..")), err) < 0)
        return -1;
    if (rename(tree, place) < 0)
        return fail("move", tree, err);
    return symlink(arena_format(arena, "around%s", root), tree) < 0 ? fail("link", tree, err) : 0;
}

int surroundings_make(struct arena *arena, const struct revision_slot *slot, const char *root,
                      const struct outside *outside, struct error *err)
{
    if (outside->items.count == 0)
        return 0;
    if (move(arena, slot, root, err) < 0)
        return -1;
    for (size_t i = 0; i < outside->items.count; i++) {
        const char *top = outside_top(arena, root, outside->items.items[i]);

        if (add_link(arena, around(arena, slot), top, err) < 0)
            return -1;
    }
    return 0;
}
