/* What a benchmark is told when it is run to be looked at. */
#ifndef BUILT_BENCH_ARGUMENTS_H
#define BUILT_BENCH_ARGUMENTS_H

#include <stdbool.h>

#include "cargo/args.h"

/*
 * Adds the program and its arguments as `cargo bench` starts it to `out`, which borrows them. That command
 * puts
 * --bench behind them even where it stands already; given twice, Criterion and libtest refuse it.
 *
 * A benchmark of Criterion's is also given --profile-time, so that it only runs what is measured, unless
 * the arguments ask for something else: with that option Criterion neither compares nor saves anything. Whose
 * it is shows in the program at `path`, which then holds the name of the option; one that cannot be read
 * counts as another's. Returns whether the option was added.
 */
bool bench_arguments_add(const char *const *arguments, const char *path, struct cargo_words *out);

#endif
