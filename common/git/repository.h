/*
 * A git repository, read alone: where it is, and which commits names stand for. libgit2 reads it; the git
 * program does where that one cannot (partial clones, SHA-256, extensions that it does not know, a library
 * that is not installed).
 */
#ifndef GIT_REPOSITORY_H
#define GIT_REPOSITORY_H

#include "base/arena.h"
#include "base/error.h"

struct git_repository;

enum { COMMIT_TEXT_BYTES = 65 };

/* A commit's full name in hexadecimal digits, NUL-terminated. */
struct commit_name {
    char text[COMMIT_TEXT_BYTES];
};

/* Zero-initialised is none. */
struct repository {
    struct arena arena;
    struct git_repository *handle; /* libgit2's; NULL: through the git program */
    const char *root;              /* its working tree: absolute, without links, no "/" at the end */
    const char *common;            /* what all its working trees share, likewise */
    const char *fetched;           /* borrowed, for who sets it: a folder for objects that a checkout of a
                                    * partial clone has to fetch; NULL: git puts them into the clone */
};

/*
 * Opens the repository whose working tree `folder` is in. Returns 0, or -1: ERROR_MISSING when it is in none,
 * ERROR_IO when it needs the git program and that is not installed, ERROR_DENIED when it is another user's
 * and the configuration does not trust it (safe.directory in git-config(1)), ERROR_CHILD when git refuses it
 * for another reason. `out` is to be given to repository_close.
 */
MUST_CHECK int repository_open(const char *folder, struct repository *out, struct error *err);

void repository_close(struct repository *repository);

/*
 * The commit that a revision stands for, as gitrevisions(7) has it: "main", "HEAD~3", a tag, the start of a
 * hash. Returns 0, or -1 with ERROR_MISSING when it stands for none, whose hint says when a remote has a
 * branch of that name or the clone is shallow, else which branches there are.
 */
MUST_CHECK int repository_find_commit(const struct repository *repository, const char *revision,
                                      struct commit_name *out, struct error *err);

/* The merge base of two commits. Returns 0, or -1 with ERROR_MISSING, whose hint says when the clone is
 * shallow. */
MUST_CHECK int repository_merge_base(const struct repository *repository, const struct commit_name *one,
                                     const struct commit_name *two, struct commit_name *out,
                                     struct error *err);

#endif
