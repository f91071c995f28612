/* What the kernel was asked for: by its functions on top of a program's stacks. */
#ifndef VIEW_SYSTEM_CALLS_H
#define VIEW_SYSTEM_CALLS_H

#include "profile/profile.h"

/*
 * By stack: the kernel's outermost function that tells how it was entered, by a system call, a fault or an
 * interrupt; where it has others alone the outermost of those that is not on the way to all calls, and
 * PROFILE_NONE where it has none. To be freed.
 */
uint32_t *system_calls_of_stacks(const struct profile *profile);

/*
 * What such a function is of: "futex" of __x64_sys_futex, "[page fault]", "[interrupt]", "[kernel thread]",
 * "[stopped]" (by a signal), "[traced]" (by a debugger), "[core dump]", "[return to program]" (behind
 * whichever call, as others run first), "[program]" of PROFILE_NONE; of others their own name; "[kernel]"
 * where all are on the way, or in the scheduler. Lives as long as the profile.
 */
struct slice system_call_name(const struct profile *profile, uint32_t function);

#endif
