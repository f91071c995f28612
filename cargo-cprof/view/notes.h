/* What is said below the rows of a profile, whatever they tell of it. */
#ifndef VIEW_NOTES_H
#define VIEW_NOTES_H

#include "profile/profile.h"
#include "report/rows.h"

/* What was sampled, and how well. */
void notes_add_facts(const struct profile *profile, uint32_t series, struct rows *rows);

/* Which events were recorded beside the one that is shown. */
void notes_add_other_events(const struct profile *profile, uint32_t shown, struct rows *rows);

#endif
