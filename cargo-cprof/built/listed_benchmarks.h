/* Which benchmarks a program has, or would run with some arguments. */
#ifndef BUILT_LISTED_BENCHMARKS_H
#define BUILT_LISTED_BENCHMARKS_H

#include "base/intern.h"
#include "target/launch.h"

/*
 * Starts the program as `launch` says, but with --list behind its arguments, with which libtest and Criterion
 * only tell what these select: "NAME: benchmark" or "NAME: bench" in lines of their own. Adds the names.
 * Returns 0, also where the program fails or tells nothing, or -1 with the failures of run_lines.
 */
MUST_CHECK int listed_benchmarks_read(const struct launch *launch, struct intern *names, struct error *err);

#endif
