/* How many calls of one function are in each other, in one stack after the other. */
#ifndef HINTS_RECURSION_H
#define HINTS_RECURSION_H

#include "profile/profile.h"

/* To be set up with recursion_init and released with recursion_done. */
struct recursion {
    const struct profile *profile; /* borrowed */
    uint32_t *counts;              /* owned; by function: its calls in the stack at hand */
    uint32_t deepest;              /* the function of most of these, when `depth` is not 0, */
    uint32_t depth;                /* and how many they are */
};

void recursion_init(struct recursion *recursion, const struct profile *profile);
void recursion_done(struct recursion *recursion);

/* Counts the innermost call of `stack`, one of those that the stack at hand consists of. */
void recursion_see(struct recursion *recursion, uint32_t stack);

/* Ends with the stack at hand, all of whose calls `stack` is. */
void recursion_end_stack(struct recursion *recursion, uint32_t stack);

#endif
