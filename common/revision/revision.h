/*
 * A revision as one side of a comparison: checked out into a place of ours, and built there with the same
 * options, by cargo that runs in the same place below the root.
 */
#ifndef REVISION_REVISION_H
#define REVISION_REVISION_H

#include "cli/options.h"
#include "proc/environment.h"
#include "revision/revision_checkout.h"

/* Zero-initialised is none. Strings live in an arena of the caller's. */
struct revision {
    const struct repository *repository; /* borrowed */
    struct commit_name commit;
    const char *name; /* as typed: "main" */
    struct revision_slot slot;
    const char *tree;       /* of the checkout, without links */
    const char *folder;     /* where cargo is to run: below the tree */
    bool has_own_lock;      /* Cargo.lock there is git's: what it changes is a change of the code */
    struct options options; /* those typed, for that folder */
    int home;               /* a descriptor of the folder that revision_leave returns to; 0: not entered */
    bool asks_rustup;       /* for the toolchain anew, in that folder */
    const char *toolchain;  /* then for one without a toolchain file; NULL: as rustup finds it there */
    struct environment_before outside; /* of the checkout: the variables there */
};

/*
 * Checks the revision out and makes the options. Of those typed: --manifest-path means the same file there,
 * --target-dir is that of the checkout, files of --config are the user's, and what configures cargo above the
 * repository is passed on (cargo looks for it from the folder it runs in upwards). Returns 0, or -1 as of
 * revision_cache_take and revision_check_out. To be given to revision_done.
 */
MUST_CHECK int revision_prepare(struct arena *arena, const struct options *options, struct revision *revision,
                                struct revision_notes *notes, struct error *err);

/*
 * Makes this process, and so cargo, run in the checkout, until revision_leave, with the toolchain that rustup
 * has for the revision: what it chose for the folder we come from holds there alone. Returns 0, or -1 with
 * ERROR_IO.
 */
MUST_CHECK int revision_enter(struct revision *revision, struct error *err);
void revision_leave(struct revision *revision);

void revision_done(struct revision *revision);

/*
 * Says of the working tree whether its Cargo.lock is one that git has: in its HEAD, though perhaps changed
 * since. Where that cannot be read it is not.
 */
void revision_take_working_tree(const struct repository *repository, const struct options *options,
                                struct revision *out);

/* Whether both sides' Cargo.lock are git's: a difference is one of those that are looked at. */
bool revision_locks_are_code(const struct revision *before, const struct revision *after);

#endif
