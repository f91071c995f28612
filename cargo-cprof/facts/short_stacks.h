/* Stacks by frame pointers that end at once, as they do in code that keeps none. */
#ifndef FACTS_SHORT_STACKS_H
#define FACTS_SHORT_STACKS_H

#include "profile/profile.h"

/* Samples of one series. */
struct short_stacks {
    uint64_t program_count; /* with calls of the program: neither the kernel's nor of another container */
    uint64_t short_count;   /* of these, with one or two calls that do not begin at the thread's start */
};

/*
 * To be called when the profile has its names. A stack begins at its thread's start where the C library calls
 * the program, or a function does that starts programs and threads: of main alone there is no more.
 */
struct short_stacks short_stacks_count(const struct profile *profile, const struct profile_series *series);

/*
 * Whether callers were looked for by frame pointers, and so many stacks are short that the program seems to
 * keep none; appends their percentage of program_count to `share` then, which may be NULL. Of few samples it
 * tells nothing. As short_stacks_count, to be called when the profile has its names.
 */
bool short_stacks_are_most(const struct profile *profile, const struct profile_series *series,
                           struct text *share);

#endif
