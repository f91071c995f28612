/* The git program, for repositories that libgit2 cannot open. It never writes to the user's index. */
#ifndef GIT_GIT_PROGRAM_H
#define GIT_GIT_PROGRAM_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/text.h"

struct git_command {
    const char *folder;           /* where it runs, and so which repository it is about */
    const char *const *arguments; /* after "git", NULL-terminated */
    const char *index_path;       /* the index it works with; NULL for none of its own */
    const char *objects;          /* the folder for objects that it fetches; NULL: the repository's own */
    const char *alternates;       /* with `objects`: the folder of those that are there, the repository's */
    bool is_quiet;                /* what it says on standard error is dropped: a failure is an answer */
};

/* Variables that tell git of a repository other than that of the folder it runs in. Ends in NULL. */
extern const char *const git_local_variables[];

/* Settings, "core.fsmonitor=false" and the like, under which git runs nothing but itself. Ends in NULL. */
extern const char *const git_quiet_settings[];

/*
 * Runs it without prompts, hooks, housekeeping, filters that fetch, or locks that can be done without;
 * GIT_DIR and the like of the environment are taken out. Returns 0 with its output in `output`, or -1:
 * ERROR_MISSING when there is no git, ERROR_CHILD when it fails, after it has said why.
 */
MUST_CHECK int git_program_run(const struct git_command *command, struct text *output, struct error *err);

#endif
