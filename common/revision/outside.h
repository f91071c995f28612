/* What the manifests of a repository name that is not in it: `outside = { path = "../outside" }`. */
#ifndef REVISION_OUTSIDE_H
#define REVISION_OUTSIDE_H

#include "base/arena.h"
#include "base/vec.h"

/* Absolute paths, each once, in an arena of the caller's. Zero-initialised is none. */
struct outside {
    VEC(const char *) items;
};

void outside_done(struct outside *outside);

void outside_add(struct outside *outside, const char *path);

/*
 * The folder that cargo takes the paths in a file for, by its name: that of Cargo.toml, that above
 * .cargo/config.toml. NULL for other files. In `arena`.
 */
const char *outside_folder_of(struct arena *arena, const char *file);

/*
 * Adds what the manifest `file` names outside of `root`; its paths are meant in `folder`, as which a
 * checkout's copy is read. Nothing where the file cannot be read.
 */
void outside_add_of(struct arena *arena, const char *root, const char *file, const char *folder,
                    struct outside *outside);

/*
 * Adds what the packages name that are there, from package to package, each with the workspace it may be in.
 * What is not there is taken out.
 */
void outside_follow(struct arena *arena, const char *root, struct outside *outside);

/* Whether `path`, one of them, is in a folder that is another of them. */
bool outside_is_within(const struct outside *outside, const char *path);

/*
 * The folder or file to take for what is outside: the highest one on the way to `path` that the way to `root`
 * does not lead through. NULL where `root` is below `path`. In `arena`.
 */
const char *outside_top(struct arena *arena, const char *root, const char *path);

#endif
