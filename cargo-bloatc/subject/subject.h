/* What is measured: a file that was named, or the program cargo built. */
#ifndef SUBJECT_SUBJECT_H
#define SUBJECT_SUBJECT_H

#include <stdbool.h>

#include "base/intern.h"
#include "cargo/build.h"
#include "cli/options.h"
#include "size/used/used.h"

/* Zero-initialised is none yet. */
struct subject {
    const char *path;            /* the file to measure */
    bool is_built;               /* by cargo, just now; else named by the user */
    struct cargo_built built;    /* when it is */
    struct cargo_built relinked; /* the same with its symbols, when is_relinked */
    bool is_relinked;
    struct intern crates; /* likewise: the names of all crates cargo built, build scripts' included */
    VEC(struct build_package) packages; /* likewise: without build scripts and procedural macros */
    struct arena paths;                 /* of libraries that build scripts made; origins of packages */
};

/*
 * Finds the subject the command line asks for, building it with cargo unless a file was named. `graph` is
 * what cargo tells of the options, which must outlive the subject; NULL: not asked yet. Returns 0, or -1:
 * ERROR_USAGE for more than one file, a file together with options for cargo, or arguments for a program;
 * otherwise as of cargo_build. `out` is to be given to subject_done either way.
 */
MUST_CHECK int subject_find(const struct options *options, const struct cargo_graph *graph,
                            struct subject *out, struct error *err);

/*
 * Adds to the failure that the subject was stripped what is known of its build: which setting says
 * so, in Cargo.toml, cargo's configuration or the environment, and the command that builds without; where it
 * was relinked in vain, where else to look. Always -1.
 */
int subject_explain_stripped(const struct subject *subject, struct error *err);

/*
 * The same of a failure for the want of line tables, which cargo strips, too, whatever profile.NAME.debug
 * says. Nothing is added where no setting and none of rustc's flags does. Always -1.
 */
int subject_explain_lines(const struct subject *subject, struct error *err);

/*
 * Links a subject that cargo stripped once more, with its symbols (relink.h). Returns 0 with
 * subject->relinked, or -1 with the failures of relink.
 */
MUST_CHECK int subject_relink(const struct options *options, struct subject *subject, struct error *err);

void subject_done(struct subject *subject);

#endif
