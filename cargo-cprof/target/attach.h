/* Processes that run already: which there are, which threads they have, whether we may look at them. */
#ifndef TARGET_ATTACH_H
#define TARGET_ATTACH_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/error.h"
#include "process/pid_list.h"

/*
 * Checks that /proc tells of the processes that have our numbers. Returns 0, or -1 with ERROR_MISSING when it
 * is that of another PID namespace (pid_namespaces(7)), or not mounted; the hint says what to do.
 */
MUST_CHECK int attach_check_proc(struct error *err);

/*
 * Puts the process of a thread in place of the thread's own id, and checks that we may look at it. Returns 0,
 * or -1: ERROR_MISSING when there is none or it has ended, ERROR_DENIED when it belongs to somebody else or
 * hides; the hint says what to do.
 */
MUST_CHECK int attach_check(pid_t *pid, struct error *err);

/* Appends the threads that the process has at this moment; none when it has ended. */
void attach_add_threads(pid_t pid, struct pids *out);

#endif
