/*
 * The stack that was added last. A sample's outer calls are mostly those of the sample before: these are
 * known without a search in the profile's stacks.
 */
#ifndef COLLECT_STACK_PREFIX_H
#define COLLECT_STACK_PREFIX_H

#include "profile/profile.h"
#include "unwind/unwind.h"

struct stack_step {
    uint32_t location;
    uint32_t stack; /* the stack that ends in it */
};

/* Zero-initialised is ready; of one profile. To be released with stack_prefix_done. */
struct stack_prefix {
    VEC(struct stack_step) steps; /* outermost first */
};

void stack_prefix_done(struct stack_prefix *prefix);

/*
 * The id of the stack with these calls, whose places are locations, innermost first, as profile_stack gives
 * it; PROFILE_NONE for no calls.
 */
uint32_t stack_prefix_add(struct stack_prefix *prefix, struct profile *profile,
                          const struct unwind_frame *frames, size_t count);

#endif
