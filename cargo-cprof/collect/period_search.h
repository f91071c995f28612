/* Samples by which the kernel finds how often to take samples. */
#ifndef COLLECT_PERIOD_SEARCH_H
#define COLLECT_PERIOD_SEARCH_H

#include "profile/profile.h"

/*
 * Whether a sample of the series that stands for so much is one of these. Cycles are sampled at a frequency
 * by a period that the kernel searches from 1 on, anew on each processor (perf_event_alloc and
 * perf_calculate_period in its kernel/events/core.c): the first eight samples or so are all of where sampling
 * began, and stand for nothing, where each counts as much as any other.
 */
bool period_is_of_search(const struct profile *profile, uint32_t series, uint64_t period);

#endif
