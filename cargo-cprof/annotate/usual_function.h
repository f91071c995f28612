/* The function that is shown where none was asked for. */
#ifndef ANNOTATE_USUAL_FUNCTION_H
#define ANNOTATE_USUAL_FUNCTION_H

#include "profile/profile.h"

/*
 * The function of the user's own crates in which most was sampled, what it calls of others counted with it,
 * as its sums of floats are core's and its sorting is std's; where no sample is below one of these, the one
 * that takes the most itself. PROFILE_NONE: no sample tells one.
 */
uint32_t usual_function_of(const struct profile *profile, uint32_t series);

#endif
