/*
 * Source files as people know them: by their place in a package, the standard library or the workspace, so
 * that the same file reads alike wherever it was compiled.
 */
#ifndef CARGO_BLOATC_SHOWN_PATH_H
#define CARGO_BLOATC_SHOWN_PATH_H

#include "dwarf/units.h"

/* Zero-initialised is empty. */
struct shown_paths {
    VEC(struct slice) roots; /* folders that local paths are shown from, as long as the units live */
};

/* Finds the folders that the crates of `units` were compiled in. */
void shown_paths_read(const struct units *units, struct shown_paths *out);

/*
 * The end of `path`: "memchr-2.7.4/src/lib.rs", "library/core/src/fmt/mod.rs", "src/main.rs" from the
 * workspace's root, "NAME/src/lib.rs" of a package elsewhere. All of it where nothing tells.
 */
struct slice shown_path(const struct shown_paths *paths, struct slice path);

void shown_paths_done(struct shown_paths *paths);

#endif
