/* Whether the Cargo.lock that cargo reads in a folder is one that a commit has. */
#ifndef REVISION_COMMIT_LOCK_H
#define REVISION_COMMIT_LOCK_H

#include "base/slice.h"
#include "git/repository.h"

/* Whether a path below the root is that of a Cargo.lock. */
bool commit_lock_is_one(struct slice path);

/* Whether that Cargo.lock stands in the folder or above it, where cargo looks for it. "" for the root. */
bool commit_lock_is_of(struct slice path, struct slice folder);

/* Whether the commit has one there; false, too, where it cannot be read. */
bool commit_lock_is_there(const struct repository *repository, const char *commit, struct slice folder);

#endif
