/*
 * Which one target a command is about, decided from the graph before anything is built: what the options
 * name, else the only binary of the packages that cargo would build.
 */
#ifndef CARGO_CHOOSE_H
#define CARGO_CHOOSE_H

#include "cargo/graph.h"

/* Points into the graph. Both are NULL when only cargo can tell: a name that is not in the graph. */
struct cargo_choice {
    const struct cargo_package *package;
    const struct cargo_target *target;
    enum cargo_harness harness; /* around a library or program */
    bool is_any_test;           /* the only executable of tests or benchmarks, as cargo's messages tell */
};

/*
 * With targets named by the options, the one of them that is linked. Without, as `cargo run` has it: the
 * package's default-run, else its binary, leaving out those whose required features are off; failing
 * that, its shared or static library. With --unit-test or --unit-bench, the library or binary that it names,
 * else the only one; --lib and --bin narrow that down. Build scripts, proc macros and unlinked libraries are
 * never chosen. --tests and --benches without a name are also for the unit tests that cargo makes of
 * libraries and binaries: unless several fit, what is meant is then left to the messages of the build. What
 * is to be run (wants_program) under --tests is meant by neither, where there are such beside a test.
 *
 * Returns 0, or -1 with ERROR_USAGE when several fit or none does; the hint lists what to type, with `verb`
 * as the command typed after "cargo".
 */
MUST_CHECK int cargo_choose(const char *verb, const struct cargo_graph *graph,
                            const struct cargo_selection *selection, struct cargo_choice *out,
                            struct error *err);

/* Whether the options name targets by themselves. */
bool cargo_selection_names_targets(const struct cargo_selection *selection);

#endif
