/*
 * A checkout among what is beside the repository, for manifests that name packages by a path out of it. The
 * tree is then in N/around/PATH, where PATH is the repository's own, N/tree is a link to it, and links in
 * N/around lead to the real packages, so that a path with any number of ".." means there what it means in the
 * repository.
 */
#ifndef REVISION_SURROUNDINGS_H
#define REVISION_SURROUNDINGS_H

#include "revision/outside.h"
#include "revision/revision_cache.h"

/* Moves the tree back to N/tree and removes all that was around it. Returns 0, or -1 with ERROR_IO. */
MUST_CHECK int surroundings_remove(struct arena *arena, const struct revision_slot *slot, struct error *err);

/*
 * Moves the tree into surroundings that hold what is outside of the repository at `root`, as outside_follow
 * leaves it; without anything outside it stays. To be called after surroundings_remove. Returns 0, or -1 with
 * ERROR_IO.
 */
MUST_CHECK int surroundings_make(struct arena *arena, const struct revision_slot *slot, const char *root,
                                 const struct outside *outside, struct error *err);

#endif
