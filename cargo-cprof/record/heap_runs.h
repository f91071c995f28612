/* What a program has at its peak and at its end, of several runs: each has that anew. */
#ifndef RECORD_HEAP_RUNS_H
#define RECORD_HEAP_RUNS_H

#include "profile/profile.h"

/*
 * Makes samples of a moment (heap_event_is_of_moment), as they were added run by run, stand for the mean of
 * all runs: rounded so that the sum of all of them is right, and that of a stack where it can be divided.
 * Once, of a profile that is finished. Returns 0, or -1 as of profile_finish.
 */
MUST_CHECK int heap_runs_take_mean(struct profile *profile, struct error *err);

#endif
