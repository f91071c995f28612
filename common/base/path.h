/* Paths as text: nothing here asks the file system. */
#ifndef BASE_PATH_H
#define BASE_PATH_H

#include "base/arena.h"

/*
 * What `name` means in `folder`, which is absolute: without ".", ".." and doubled "/". Above the root there
 * is the root. In `arena`.
 */
const char *path_join(struct arena *arena, const char *folder, struct slice name);

/*
 * What follows the folder in a path below it, "" for the folder itself: part of `path`. NULL for a path
 * elsewhere, and for NULL.
 */
const char *path_below(const char *folder, const char *path);

/* How many bytes the folder that both are below, or are, has: 0 for the root. Both absolute. */
size_t path_common(const char *one, const char *other);

#endif
