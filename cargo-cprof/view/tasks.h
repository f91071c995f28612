/* Tasks of async programs: which future's code each stack is in. */
#ifndef VIEW_TASKS_H
#define VIEW_TASKS_H

#include "profile/profile.h"

/*
 * Whether the profile says which frames are futures': it has one of an async fn, block or closure whose name
 * is known. Debug information tells these from plain closures; profiles that have only names do not, and with
 * lines-only debug information all are called "{async_fn#0}".
 */
bool tasks_are_told(const struct profile *profile);

/*
 * By stack: the function of its outermost future that is no runtime's (runtime_calls_of), be it made of an
 * async fn, block or closure or written by hand as Future::poll; PROFILE_NONE where it has none. Where an
 * executor polls a spawned task, a stack begins anew: the executor may be awaited in a future. To be freed.
 */
uint32_t *tasks_of_stacks(const struct profile *profile);

/*
 * By stack: the function of the innermost such future that is of the user's own crates, else its task. What
 * is spawned is often a framework's future, the user's being awaited in it: this tells them apart. To be
 * freed.
 */
uint32_t *own_futures_of_stacks(const struct profile *profile);

/* What the task is called: the function's name, "[no task]", "[task without a name]". */
struct slice task_name(const struct profile *profile, uint32_t task);

#endif
