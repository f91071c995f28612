/* Which benchmarks of libtest a program would run. */
#ifndef BUILT_LISTED_BENCHMARKS_H
#define BUILT_LISTED_BENCHMARKS_H

#include <stddef.h>

#include "base/text.h"
#include "target/launch.h"

/*
 * Starts the program once more as it would be, but with --list, with which libtest only tells what its
 * arguments select. Appends the first one's name to `first`. Returns how many there are; 0 where the program
 * does not tell.
 */
size_t listed_benchmarks_count(const struct launch *launch, struct text *first);

#endif
