/* What a recording with too few samples takes to have enough. */
#ifndef FACTS_MORE_SAMPLES_H
#define FACTS_MORE_SAMPLES_H

#include "base/text.h"
#include "profile/profile.h"

/*
 * Appends what would give this series enough, by what one run has of CPU time or samples: ", or sample more
 * often: -F 4000", ", or many runs in one profile: --runs 80 -F 4000". Nothing where neither does,
 * and of runs only with `is_started`: what runs already is not started again.
 */
void more_samples_add(struct text *text, const struct profile *profile, const struct profile_series *series,
                      bool is_started);

/* The same as options alone, of what is started: "-F 4000", "--runs 80 -F 4000", or nothing. */
void more_samples_add_options(struct text *text, const struct profile *profile,
                              const struct profile_series *series);

#endif
