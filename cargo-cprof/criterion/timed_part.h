/* Which samples of a benchmark's run are of what Criterion times. */
#ifndef CRITERION_TIMED_PART_H
#define CRITERION_TIMED_PART_H

#include "profile/profile.h"

/*
 * Leaves in `profile`, which has one series, is symbolized and of a run with --profile-time, only the samples
 * that are of an iteration's time: those below `Bencher::iter`, and below the part of `iter_batched` and
 * `iter_batched_ref` that takes the routine's outputs (bencher.rs of Criterion 0.3 to 0.8). What makes or
 * drops their inputs, what a benchmark does before, and Criterion's own work are left out.
 *
 * `*is_told` is false, and all samples stay, where more than one sample in ten may or may not be of that
 * time: of batches of one iteration, whose set-up and routine are called in the same place, of `iter_custom`,
 * of other threads, and of the kernel where it was not sampled; and where none is of it. Returns 0, or -1
 * with ERROR_FORMAT when the samples are damaged.
 */
MUST_CHECK int timed_part_keep(struct profile *profile, bool *is_told, struct error *err);

#endif
