/* What a benchmark is told when it is run to be looked at. */
#ifndef BUILT_BENCH_ARGUMENTS_H
#define BUILT_BENCH_ARGUMENTS_H

#include <stdbool.h>

#include "cargo/args.h"

/* Who decides how long a benchmark runs. */
enum bench_harness {
    BENCH_NONE, /* it is no benchmark */
    BENCH_CRITERION,
    BENCH_LIBTEST, /* rustc's own */
    BENCH_DIVAN,
    BENCH_OTHER, /* the program's own, say */
};

/*
 * Shows in what a benchmark's program holds: the name of an option that Criterion alone has, what libtest
 * prints, a variable that divan reads. One that cannot be read counts as another's.
 */
enum bench_harness bench_harness_of(const char *path);

/*
 * Adds the program and its arguments as `cargo bench` starts it to `out`, which borrows them. That command
 * puts --bench behind them even where it stands already; given twice, Criterion and libtest refuse it.
 *
 * A benchmark of Criterion's is also given --profile-time, so that it only runs what is measured, unless
 * the arguments ask for something else: with that option Criterion neither compares nor saves anything.
 * Returns whether the option was added.
 */
bool bench_arguments_add(const char *const *arguments, enum bench_harness harness, struct cargo_words *out);

/*
 * The first of the arguments, those behind the program's name, that libtest, Criterion and divan take for a
 * part of the names of what is to run; NULL where none is, or it may be the value of an option. Borrowed.
 */
const char *bench_arguments_filter(const char *const *arguments);

/*
 * Whether benchmarks are only tried or listed, as --test and --list ask for: they end when that is done.
 * libtest takes --test beside the --bench that cargo gives for tests and benchmarks, and measures these.
 */
bool bench_arguments_are_for_once(const char *const *arguments, enum bench_harness harness);

/*
 * How benchmarks that ran too short for these arguments, those behind the program's name, run for longer:
 * what to say of it, or NULL where nobody knows.
 */
const char *bench_arguments_for_longer(const char *const *arguments, enum bench_harness harness);

#endif
