/* What a report tells programs about the samples that it is of. */
#ifndef FACTS_PROFILE_FACTS_H
#define FACTS_PROFILE_FACTS_H

#include "profile/profile.h"
#include "report/rows.h"

/*
 * Adds to the rows how much was sampled and how well, as facts, and what: the event, the unit of all amounts.
 * The profile lives on.
 */
void profile_facts_add(const struct profile *profile, uint32_t series, struct rows *rows);

#endif
