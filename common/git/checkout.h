/* The files of a commit, put into a folder of ours. The repository itself stays as it is, to the byte. */
#ifndef GIT_CHECKOUT_H
#define GIT_CHECKOUT_H

#include <stdbool.h>

#include "git/repository.h"

/* All borrowed. */
struct checkout {
    const struct repository *repository;
    const char *commit;
    const char *previous;   /* the commit whose files are there; NULL: the folder is empty */
    const char *folder;     /* absolute; is there */
    const char *index_path; /* a file elsewhere that is kept for it: git's index of what is there */
    bool with_program;      /* by the git program, else by libgit2; the same as for what is there */
};

/*
 * Whether the git program has to write the files: always where libgit2 cannot open the repository, and where
 * files have attributes of the commit's own, as libgit2 takes those from the user's working tree. Returns 0,
 * or -1 as of checkout_list.
 */
MUST_CHECK int checkout_needs_program(const struct repository *repository, const char *commit, bool *out,
                                      struct error *err);

/*
 * Makes the tracked files in the folder, and the index, those of the commit; what did not change keeps its
 * time. Line
 * endings, links and executable bits are as git makes them; submodules are empty folders, and what Git LFS
 * manages are its pointers. Returns 0, or -1 with ERROR_IO or ERROR_CHILD; the folder is then to be emptied.
 */
MUST_CHECK int checkout_files(const struct checkout *checkout, struct error *err);

enum checkout_kind { CHECKOUT_FILE, CHECKOUT_LINK, CHECKOUT_SUBMODULE };

/* One path of a commit, "/" between its parts; `commit` is a submodule's, else empty. Returns 0, or -1 to
 * stop. */
typedef int checkout_entry_fn(void *context, const char *path, enum checkout_kind kind, const char *commit,
                              struct error *err);

/* Calls `each` for all that the commit has but folders. Returns 0, or -1 as of checkout_files or `each`. */
MUST_CHECK int checkout_list(const struct repository *repository, const char *commit, checkout_entry_fn *each,
                             void *context, struct error *err);

#endif
