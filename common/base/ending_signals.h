/* The signals by which people and systems end a program: Ctrl-C, Ctrl-\, SIGTERM and SIGHUP. */
#ifndef BASE_ENDING_SIGNALS_H
#define BASE_ENDING_SIGNALS_H

#include <signal.h>

/* Adds them to the set. */
void ending_signals_add(sigset_t *set);

#endif
