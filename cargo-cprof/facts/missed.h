/*
 * What happened without a sample of it: of threads that were shorter than a period, and where the kernel
 * counted more than it sampled. Of a part of a recording nobody knows how much that is, but of all that was
 * recorded.
 */
#ifndef FACTS_MISSED_H
#define FACTS_MISSED_H

#include "base/text.h"
#include "profile/profile.h"

/* Of things that are counted how many happened where samples stand for so many, as the kernel counted, or as
 * far as samples tell. */
uint64_t missed_all(const struct profile_series *series, uint64_t kept);

/* Appends a line for the top of a report when samples stand for clearly less than what happened. */
void missed_add(struct text *text, const struct profile *profile, uint32_t series);

/*
 * "6.8% of its CPU time", what samples stand for where that is clearly less than what happened, or, of a part
 * of a recording, "6.8% of the whole recording's CPU time". False, and nothing, elsewhere.
 */
bool missed_add_share(struct text *text, const struct profile *profile, uint32_t series);

/* Whether the series is a part of a recording that clearly lost or missed some: it is of more than its
 * samples stand for. */
bool missed_from_part(const struct profile *profile, uint32_t series);

#endif
