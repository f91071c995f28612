/* How the samples of a series are told of: as so many samples, or as so many of what they stand for. */
#ifndef FACTS_SERIES_UNIT_H
#define FACTS_SERIES_UNIT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "profile/profile.h"

/* Whether samples stand for things that are counted, "page-faults", and neither for time nor for themselves.
 */
bool series_counts_things(const struct profile *profile, uint32_t series);

/* Whether they are waits, with the microseconds that each took ("off-cpu"); whether any series is. */
bool series_is_of_waits(const struct profile *profile, uint32_t series);
bool series_of_waits_exist(const struct profile *profile);

/* Whether they are of memory that was given: "heap-peak", "alloc-bytes"; whether any series is. */
bool series_is_of_heap(const struct profile *profile, uint32_t series);
bool series_of_heap_exist(const struct profile *profile);

/* Whether they are neither: samples that the kernel takes at a rate, of time or of what it counts. */
bool series_is_at_rate(const struct profile *profile, uint32_t series);

/* Whether it was read from folded stacks, whatever their counts are of. */
bool series_is_folded(const struct profile *profile, uint32_t series);

/* Whether it is of waits that were read from them: how long all were is known, how many there were is not. */
bool series_is_of_folded_waits(const struct profile *profile, uint32_t series);

/*
 * Whether samples are taken a moment after what they are of, as those of time and of what a processor counts.
 * Faults, waits, requests for memory and tracepoints are where they happen.
 */
bool series_lags(const struct profile *profile, uint32_t series);

/* Microseconds of waits as nanoseconds; stops at UINT64_MAX. */
uint64_t series_waited_ns(uint64_t us);

/* What one and what several are called: "page-fault", "page-faults". */
struct slice series_unit(const struct profile *profile, uint32_t series);
struct slice series_units(const struct profile *profile, uint32_t series);

/* Whether the things counted are called as the event is: "page-faults" are, "events" of a tracepoint not. */
bool series_unit_tells_event(const struct profile *profile, uint32_t series);

/* "1,234 page-faults", "1 sample", "1.23 s of waiting"; of a time that is nobody's on a processor "1.23 s" */
void series_unit_add_count(struct text *text, const struct profile *profile, uint32_t series, uint64_t count);

#endif
