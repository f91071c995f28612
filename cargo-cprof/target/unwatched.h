/* Who works for watched processes and is not watched: what they started before is not. */
#ifndef TARGET_UNWATCHED_H
#define TARGET_UNWATCHED_H

#include "process/pid_list.h"

/*
 * Appends the processes that came from these and go on, without these themselves, us and those that we came
 * from.
 */
void unwatched_find(const struct pids *watched, struct pids *out);

#endif
