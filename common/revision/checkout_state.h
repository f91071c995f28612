/*
 * What a kept checkout holds, in a file beside it: written when the checkout is whole, removed before it is
 * touched. Lines of a word and a value: "part METHOD HASH PATH" for the whole, whose path is ".", and
 * for each submodule, "name main", "root PATH", "outside PATH",
 * "lock PATH", "copied PATH", "note TEXT".
 */
#ifndef REVISION_CHECKOUT_STATE_H
#define REVISION_CHECKOUT_STATE_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"
#include "revision/outside.h"

/* The files of one repository. */
struct state_part {
    const char *path; /* below the checkout; "." for the whole */
    const char *commit;
    bool with_program; /* git wrote them; else libgit2 */
};

/* Strings live in an arena of the caller's. Zero-initialised is that of an empty folder. */
struct checkout_state {
    const char *name; /* the revision as it was typed last; NULL for none */
    VEC(struct state_part) parts;
    const char *root;         /* of the working tree that it was made for; NULL for none */
    struct outside outside;   /* of that root: what the manifests name, there or not */
    VEC(const char *) locks;  /* each Cargo.lock that is the commit's own */
    VEC(const char *) copied; /* files that are not the commit's */
    VEC(const char *) notes;  /* what is to be said of this checkout each time it is used */
};

/* The part at this path, or NULL: what is there is not known. Valid until a part is added. */
const struct state_part *checkout_state_find(const struct checkout_state *state, const char *path);

/* The commit of the whole, or NULL. */
const char *checkout_state_commit(const struct checkout_state *state);

void checkout_state_done(struct checkout_state *state);

/* Reads the file. What is not there, or not of this form, is the state of an empty folder. */
void checkout_state_read(struct arena *arena, const char *path, struct checkout_state *out);

/* Returns 0, or -1 as of file_replace. */
MUST_CHECK int checkout_state_write(const struct checkout_state *state, const char *path, struct error *err);

#endif
