/* The PID namespace (pid_namespaces(7)) that we are in: whom it has numbers for. */
#ifndef PROCESS_PID_NAMESPACE_H
#define PROCESS_PID_NAMESPACE_H

#include <stdbool.h>

/* What all processes together are called that have no number in ours. */
#define PID_NAMESPACE_OUTSIDE "[outside of this container]"

/* Whether it is the machine's first, where each process has a number; also when /proc does not tell. */
bool pid_namespace_is_first(void);

#endif
