/* The PID namespace (pid_namespaces(7)) that we are in: whom it has numbers for, and whether /proc has the
 * same. */
#ifndef PROC_PID_NAMESPACE_H
#define PROC_PID_NAMESPACE_H

#include <stdbool.h>
#include <sys/types.h>

/* What all processes together are called that have no number in ours. */
#define PID_NAMESPACE_OUTSIDE "[outside of this container]"

/* Whether it is the machine's first, where each process has a number; also when /proc does not tell. */
bool pid_namespace_is_first(void);

/* The number that /proc has for us; 0 when it has none: it is not mounted, or none that tells of us. */
pid_t pid_namespace_number_in_proc(void);

/*
 * Whether /proc is that of our namespace, and not of another one, as after `unshare --pid`. What /proc/PID
 * tells of a number of ours is of another process else.
 */
bool pid_namespace_has_proc(void);

#endif
