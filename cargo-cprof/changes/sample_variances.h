/*
 * How far what samples stand for differs by chance, by function. Of the heap: heap_spread.h. Waits are not
 * drawn from anything, but how many there are and how long each is differs from run to run. Were each there
 * or not by chance, as Poisson's law has it, what those of a function add up to had the variance of the sum
 * of their squares: of many short waits little, of a thread that waits for seconds as much as it waits. What
 * a program does as often in each run differs by less.
 */
#ifndef CHANGES_SAMPLE_VARIANCES_H
#define CHANGES_SAMPLE_VARIANCES_H

#include "changes/joined.h"
#include "changes/run_variances.h"

/*
 * Fills the empty `out` for one side, in squares of the unit of its samples. `joined` is of the parts; a
 * series is added to it that is of no use afterwards.
 */
void sample_variances_find(const struct joined_part parts[JOINED_SIDES], enum joined_side side,
                           struct profile *joined, struct run_variances *out);

#endif
