/* What a program's run took in all, from what the system and the sampled clock tell. */
#ifndef RECORD_RUN_TIMES_H
#define RECORD_RUN_TIMES_H

#include "profile/profile.h"
#include "sampler/sampler.h"
#include "target/descendants.h"
#include "target/launch.h"

/* What the processes of a run have taken of the processors up to one moment. */
struct run_times {
    uint64_t cpu_ns; /* as the system tells */
    uint64_t user_ns;
    uint64_t counted_ns;       /* by the clock that is sampled; 0: none is */
    uint64_t machine_delay_ns; /* run_delay_of_machine_ns */
};

/* What a clock that is sampled has counted so far of all that is watched; 0: none is. */
uint64_t run_times_counted_ns(struct sampler *sampler);

/* Up to now. */
struct run_times run_times_read(const struct target *program, const struct descendants *descendants,
                                struct sampler *sampler);

/*
 * Adds the CPU time and the waiting of a run that was watched from start to end to those of the profile's
 * runs; so many processes were in it.
 */
void run_times_add(struct profile *profile, const struct target_end *end, struct sampler *sampler,
                   size_t process_count);

/* The same of a part of a run. */
void run_times_add_part(struct profile *profile, const struct run_times *from, const struct run_times *to,
                        size_t process_count);

#endif
