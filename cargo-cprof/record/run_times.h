/* What a program's run took in all, from what the system and the sampled clock tell. */
#ifndef RECORD_RUN_TIMES_H
#define RECORD_RUN_TIMES_H

#include "profile/profile.h"
#include "sampler/sampler.h"
#include "target/launch.h"

/*
 * Adds the CPU time and the waiting of a run that was watched from start to end to those of the profile's
 * runs; so many processes were in it.
 */
void run_times_add(struct profile *profile, const struct target_end *end, struct sampler *sampler,
                   size_t process_count);

#endif
