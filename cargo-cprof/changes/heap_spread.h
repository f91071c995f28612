/*
 * How far what samples of the heap stand for differs by chance: of those that were all told by nothing, of
 * one of n bytes that was told with a probability of p = 1 - exp(-n / interval) by n^2 (1 - p) / p^2 (the
 * estimator of Horvitz and Thompson for samples that are drawn independently of each other).
 */
#ifndef CHANGES_HEAP_SPREAD_H
#define CHANGES_HEAP_SPREAD_H

#include "profile/profile.h"

/* Zero-initialised but for `series`, borrowed, and `run_count` is ready. */
struct heap_spread {
    const struct profile_series *series;
    uint32_t run_count;   /* of the profile: what is of a moment was divided by that */
    size_t next_interval; /* the first that is of later samples */
};

/* The variance of the value of the series' next sample, in the order of time. */
uint64_t heap_spread_next(struct heap_spread *spread, const struct profile_sample *sample);

/* The same of a value where one of `interval_bytes` is picked in the mean. */
double heap_spread_of(double value, double interval_bytes);

#endif
