/* Running `cargo check` so that it leaves the counts of every unit in a target directory of our own. */
#ifndef BUILD_CHECK_H
#define BUILD_CHECK_H

#include <stdbool.h>

#include "cargo/artifacts.h"
#include "cargo/diagnostics.h"

/* What to check. All borrowed. */
struct check_request {
    const struct options *options; /* of the command line, which has the tables of cargo/args.h */
    const struct cargo_graph *graph;
    const char *target_directory; /* of our own, absolute; need not be there */
    bool keep_ir;
};

/*
 * The target directory of our own: "llvmlines" in that of --target-dir, else in the one that cargo uses. In
 * `arena`.
 */
const char *check_target_directory(struct arena *arena, const struct options *options,
                                   const struct cargo_graph *graph);

/*
 * Returns 0 and adds to `artifacts` all that cargo named. Or -1: ERROR_IO when the target directory cannot
 * be written to, ERROR_CHILD with cargo's exit code when it fails, after it has said why.
 */
MUST_CHECK int check_run(const struct check_request *request, struct cargo_artifacts *artifacts,
                         struct error *err);

/*
 * What compilers said in a check that check_run has done: cargo has kept it and compiles nothing. Where it
 * does not tell, nothing is added.
 */
void check_read_diagnostics(const struct check_request *request, struct cargo_diagnostics *out);

#endif
