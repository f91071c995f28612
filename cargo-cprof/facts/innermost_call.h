/* Whose code runs in a stack, by the name that it has: folded stacks tell no more. */
#ifndef FACTS_INNERMOST_CALL_H
#define FACTS_INNERMOST_CALL_H

#include "profile/profile.h"

/* Whether the innermost call of a stack, by its id, is the kernel's; false where code has no name yet. */
bool innermost_call_is_kernels(const struct profile *profile, uint32_t stack);

#endif
