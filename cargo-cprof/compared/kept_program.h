/*
 * An executable that is compared with what cargo builds, and that may be the very file that this build
 * replaces: target/profiling/app, as it was before the last change.
 */
#ifndef COMPARED_KEPT_PROGRAM_H
#define COMPARED_KEPT_PROGRAM_H

#include "base/arena.h"
#include "base/error.h"
#include "compare/held_files.h"

/* Zero-initialised is none. To be given to kept_program_done. */
struct kept_program {
    struct held_files held;
    const char *original; /* its path, borrowed; NULL: there is none */
    const char *folder;   /* of ours, beside it, with the copy; NULL: there is no copy */
    const char *copy;
};

/* Holds the file at `path`, which is borrowed, open. A name without a slash, which is one in PATH, is not
 * held. */
void kept_program_hold(const char *path, struct kept_program *out);

/*
 * After the build: where the file has been replaced, puts a copy of what it was into a folder beside it,
 * under the same name, so that it runs and has the same names in a profile. Returns 0, or -1 with ERROR_IO
 * when no copy can be made. `arena` owns the paths.
 */
MUST_CHECK int kept_program_keep(struct arena *arena, struct kept_program *program, struct error *err);

/* Removes the copy. */
void kept_program_done(struct kept_program *program);

#endif
