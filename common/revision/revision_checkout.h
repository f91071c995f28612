/* The files of one revision in a kept checkout, submodules included, ready to be built. */
#ifndef REVISION_REVISION_CHECKOUT_H
#define REVISION_REVISION_CHECKOUT_H

#include "base/vec.h"
#include "git/repository.h"
#include "revision/revision_cache.h"

/* What to check out. All borrowed. */
struct revision_request {
    const struct repository *repository;
    const char *commit;
    const char *name;      /* the revision as it was typed */
    const char *subfolder; /* below the repository's root: where cargo runs; "" for the root */
};

/* Sentences about the checkout, in the caller's arena. */
struct revision_notes {
    VEC(const char *) items;
    bool has_own_lock; /* the Cargo.lock that cargo reads there is the commit's */
};

/*
 * Makes the slot's tree that of the revision; nothing is written when it is already. A Cargo.lock that the
 * commit has not is copied from the user's working tree, so that both sides have the same dependencies. What
 * manifests name outside of the repository is there, as it is today. Adds to `notes` what is of today, and
 * what is missing: submodules that are not there, files that are Git LFS pointers; and says whose the
 * Cargo.lock is. Returns 0, or
 * -1 with ERROR_IO, ERROR_CHILD, or ERROR_MISSING when the commit has no such subfolder.
 */
MUST_CHECK int revision_check_out(struct arena *arena, const struct revision_request *request,
                                  const struct revision_slot *slot, struct revision_notes *notes,
                                  struct error *err);

#endif
