/* The code of what was counted: a build of it with names that tell everything (cargo/exact_build.h). */
#ifndef BUILD_SIZED_BUILD_H
#define BUILD_SIZED_BUILD_H

#include "build/check.h"
#include "build/units.h"
#include "sizes/code_sizes.h"
#include "sizes/crate_match.h"

/* What was counted. All borrowed. */
struct sized_build_request {
    const struct options *options;
    const struct cargo_graph *graph; /* what cargo tells of them */
    const struct units *units;
    const struct symbol_crate *crates; /* by unit: as its IR calls it; no name when it does not tell */
    bool with_dependencies;            /* all units were counted, else those that are selected */
    const struct check_request
        *check; /* what they were counted by, which has said what there is to warn of */
};

/*
 * Builds the program or shared library among the selected targets, or where there is none the libraries that
 * were counted, and adds to `code` what they hold and to `match` which crate is which as far as libraries
 * tell. What compilers say that they did not say of the check is written to standard error. Returns 0, or -1:
 * as of cargo_build and code_sizes_read; ERROR_USAGE when something was counted that is no part of the
 * program; ERROR_MISSING when the libraries have no code of their own (bitcode, staticlib).
 */
MUST_CHECK int sized_build_run(const struct sized_build_request *request, struct code_sizes *code,
                               struct crate_match *match, struct error *err);

#endif
