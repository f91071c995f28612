/* Source files of kept checkouts (revision_cache.h), as they are known in the repository that they are of. */
#ifndef REVISION_REVISION_PATH_H
#define REVISION_REVISION_PATH_H

#include <stdbool.h>

#include "base/text.h"

/* Where the checkouts are, below the user's cache. */
#define REVISION_CACHE_FOLDER "rust-performance-tools/revisions"

/*
 * Where the path leads into a checkout, appends it from the repository's name on, "app/src/main.rs" of
 * ".../revisions/app-0123456789abcdef/0/tree/src/main.rs", or, of a checkout among what is beside the
 * repository (surroundings.h), as it is there: "/home/me/app/src/main.rs". False for any other path: then
 * nothing is appended.
 */
bool revision_path_add(struct text *text, struct slice path);

#endif
