/* How many threads have samples, of a program that may have run several times. */
#ifndef FACTS_SAMPLED_THREADS_H
#define FACTS_SAMPLED_THREADS_H

#include "base/text.h"
#include "profile/profile.h"

/*
 * Appends ", 4 threads"; of several runs of one program, each of which has threads of its own, ", 3 runs of 4
 * threads", or "of up to 4 threads" where not every run has samples of as many. A file that does not tell
 * whose run a thread is has ", 3 runs, 12 threads in all". Of waits it is threads "that waited". Of a profile
 * without threads the runs alone.
 */
void sampled_threads_add(struct text *text, const struct profile *profile, uint32_t series);

#endif
