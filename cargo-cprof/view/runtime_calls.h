/* Calls that start programs and threads and drive tasks: between the code that people wrote, and theirs in no
 * way. */
#ifndef VIEW_RUNTIME_CALLS_H
#define VIEW_RUNTIME_CALLS_H

#include "profile/profile.h"

/* Whether a function of this name is one: of the start of programs and threads, of tokio, smol,
 * async-std, futures, rayon. */
bool runtime_calls_has(struct slice name);

/* By function, whether it is one; to be freed. */
bool *runtime_calls_of(const struct profile *profile);

#endif
