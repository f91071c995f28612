/*
 * Calls that get memory for others: of the heap's samples they are left out, since all have the same ones. Of
 * other samples beside those what the library of preload/ calls is told as that library.
 */
#ifndef SYMBOLIZE_HEAP_CALLS_H
#define SYMBOLIZE_HEAP_CALLS_H

#include "profile/profile.h"

/*
 * Whether a function of this name only hands memory on: of Rust's allocators, Global, RawVec, C++'s new
 * and what its containers call that by, and of C what is called after malloc and its like.
 */
bool heap_call_is(struct slice name);

/*
 * Takes the innermost ones off the stacks of all samples of the heap, whose locations have their frames. What
 * is inlined into a call that stays is another location then: one byte before it, in the same call. Samples
 * of other series in what the library calls by itself, as the kernel, are of the library.
 * Returns 0, or -1 as of profile_finish.
 */
MUST_CHECK int heap_calls_leave_out(struct profile *profile, struct error *err);

#endif
