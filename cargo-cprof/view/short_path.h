/* Source files as people tell them apart: without the folders that say where on one machine they are. */
#ifndef VIEW_SHORT_PATH_H
#define VIEW_SHORT_PATH_H

#include "base/arena.h"
#include "base/text.h"
#include "base/vec.h"
#include "profile/profile.h"

/*
 * Appends "regex-1.11.1/src/lib.rs" for a file of a package that cargo fetched, "core/src/fmt/mod.rs" for
 * one of std, and for others the folder that holds "src" and what follows, or the last two parts. A file of a
 * revision that was checked out is called as it is in the repository.
 */
void short_path_add(struct text *text, struct slice path);

/* The short forms of a profile's paths, each made once: few files have most calls. */
struct short_paths {
    const struct profile *profile;
    VEC(struct slice) items; /* by string; empty where not asked for yet */
    struct arena arena;      /* of the items */
    struct text scratch;     /* owned */
};

/* The profile outlives it. To be released with short_paths_done. */
void short_paths_init(struct short_paths *paths, const struct profile *profile);
void short_paths_done(struct short_paths *paths);

/* The short form of the path that is this string of the profile; lives as long as `paths`. */
struct slice short_paths_get(struct short_paths *paths, uint32_t string);

#endif
