/* Profiles of benchmarks of libtest's, which runs each until it is sure of its time. */
#ifndef DIFFED_LIBTEST_BENCHMARKS_H
#define DIFFED_LIBTEST_BENCHMARKS_H

#include "profile/profile.h"

/*
 * How many functions of such benchmarks there are in the stacks of a symbolized profile: what
 * test::bench::benchmark of the standard library calls, beside what is std's own.
 */
size_t libtest_benchmarks_count(const struct profile *profile);

#endif
