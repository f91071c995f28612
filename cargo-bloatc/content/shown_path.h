/*
 * Source files as people know them: by their place in a package, the standard library or the workspace, so
 * that the same file reads alike wherever it was compiled.
 */
#ifndef CONTENT_SHOWN_PATH_H
#define CONTENT_SHOWN_PATH_H

#include "base/text.h"
#include "dwarf/units.h"

/* Zero-initialised is empty. */
struct shown_paths {
    VEC(struct slice) roots; /* folders that local paths are shown from, as long as the units live */
};

/* Finds the folders that the crates of `units` were compiled in. */
void shown_paths_read(const struct units *units, struct shown_paths *out);

/*
 * Appends the end of `path`: "memchr-2.7.4/src/lib.rs", "library/core/src/fmt/mod.rs", "src/main.rs" from the
 * workspace's root, "NAME/src/lib.rs" of a package elsewhere, which is the repository's name where that is a
 * revision's checkout. All of it where nothing tells.
 */
void shown_path_add(struct text *text, const struct shown_paths *paths, struct slice path);

void shown_paths_done(struct shown_paths *paths);

#endif
