/*
 * Signals that would end us, or keep from us what we have to know, while programs that we start are to find
 * them as our caller left them.
 *
 * SIGPIPE and SIGXFSZ end a process that writes in vain, to a pipe without a reader or past the limit of
 * files' sizes (setrlimit(2)): with a handler it is left to write(2) to tell, and nothing is left
 * half-written. Where SIGCHLD is ignored, nobody is told how our children end (wait(2)).
 */
#ifndef PROC_OWN_SIGNALS_H
#define PROC_OWN_SIGNALS_H

#include <stdbool.h>

/* Takes them for as long as we run; what does us no harm stays as it is. */
void own_signals_take(void);

/* Whether the caller ignored SIGCHLD. */
bool own_signals_was_child_ignored(void);

/*
 * In a child of ours that is about to become a program: undoes what exec does not, which puts all that has a
 * handler at its default. Safe between fork and exec.
 */
void own_signals_give_back(void);

#endif
