/* What the kernel was asked for: by its functions on top of a program's stacks. */
#ifndef VIEW_SYSTEM_CALLS_H
#define VIEW_SYSTEM_CALLS_H

#include "profile/profile.h"

/*
 * By stack a number for system_call_name: of the kernel's outermost function that tells how it was entered,
 * by a system call, a fault or an interrupt, or of a thread of io_uring what it does; where it has others
 * alone of the outermost of those that is not on the way to all calls, and PROFILE_NONE where it has none. Of
 * what the heap's library does itself it is that function. To be freed.
 */
uint32_t *system_calls_of_stacks(const struct profile *profile);

/*
 * What that is: "futex" of __x64_sys_futex, "[page fault]", "[interrupt]", "[kernel thread]",
 * "[stopped]" (by a signal), "[traced]" (by a debugger), "[core dump]", "[return to program]" (behind
 * whichever call, as others run first), "[program]" of PROFILE_NONE, "[heap recording]" of the heap's
 * library; of others their own name; "[kernel]" where all are on the way, or in the scheduler. A worker of
 * io_uring (io-wq's) is at io_fsync or whatever was asked for, "[io_uring worker]" between, "[idle io_uring
 * worker]" where it waits for work; the thread that looks for what is submitted is "[io_uring SQPOLL]". Lives
 * as long as the profile.
 */
struct slice system_call_name(const struct profile *profile, uint32_t call);

#endif
