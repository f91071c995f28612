/*
 * Checkouts of revisions that are kept between runs, outside the repository, each with a target directory of
 * its own: $XDG_CACHE_HOME/rust-performance-tools/revisions/NAME-HASH/N/{tree,git,target}. A run holds the
 * lock of what it uses; what nobody used for 30 days is removed.
 */
#ifndef REVISION_REVISION_CACHE_H
#define REVISION_REVISION_CACHE_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"

enum { REVISION_SLOTS_MAX = 8 };

/* One checkout, held by this run. Zero-initialised is none. */
struct revision_slot {
    const char *folder; /* absolute; is there; in the arena that it was taken with */
    int lock;           /* a descriptor; 0 for none */
};

/*
 * Takes the checkout that needs the least work: one of this commit, one that was last used for the revision
 * of this name, a new one, the one that was used longest ago. `repository` is the folder that all working
 * trees of a repository share. Returns 0, or -1 with ERROR_IO when there is no place for it, or all are in
 * use. To be given back with revision_slot_release.
 */
MUST_CHECK int revision_cache_take(struct arena *arena, const char *repository, const char *commit,
                                   const char *name, struct revision_slot *out, struct error *err);

void revision_slot_release(struct revision_slot *slot);

/* Where the state of the checkout stands (checkout_state.h), its files, its git directory, and what is built
 * of the files. */
const char *revision_slot_state(struct arena *arena, const struct revision_slot *slot);
const char *revision_slot_tree(struct arena *arena, const struct revision_slot *slot);
const char *revision_slot_git(struct arena *arena, const struct revision_slot *slot);
const char *revision_slot_target(struct arena *arena, const struct revision_slot *slot);

/* What was removed, and what was not because a run holds it. */
struct revision_clean {
    size_t removed;
    size_t in_use;
    uint64_t bytes;
};

/* Empties the cache. Returns 0, or -1 with ERROR_IO when something could not be removed. */
MUST_CHECK int revision_cache_clean(struct revision_clean *out, struct error *err);

#endif
