/*
 * The signals that end a process when it writes in vain: SIGPIPE, to a pipe without a reader, and SIGXFSZ,
 * past the limit of files' sizes (setrlimit(2)). Ignored they leave it to write(2) to tell, and nothing is
 * left half-written; programs that we start rely on them.
 */
#ifndef PROC_WRITE_SIGNALS_H
#define PROC_WRITE_SIGNALS_H

#include <signal.h>

void write_signals_ignore(void);

/* Puts them at their default. Safe between fork and exec. */
void write_signals_reset(void);

/* Adds them to the set. */
void write_signals_add(sigset_t *set);

#endif
