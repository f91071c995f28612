/*
 * The signals with which people and systems end programs, taken as something to read instead of being ended
 * by them: Ctrl-C, Ctrl-\, SIGTERM, SIGHUP; and SIGCHLD.
 */
#ifndef TARGET_INTERRUPTS_H
#define TARGET_INTERRUPTS_H

#include <signal.h>
#include <stdbool.h>

#include "base/error.h"

/* To be given back with interrupts_done. */
struct interrupts {
    int descriptor; /* readable when a signal came; -1 when none are taken */
    sigset_t saved; /* the signals that were blocked before: what programs are to be started with */
};

/* Returns 0, or -1 with ERROR_IO. */
MUST_CHECK int interrupts_take(struct interrupts *out, struct error *err);

/* The next signal that came; false when there is none. Never waits. */
bool interrupts_next(const struct interrupts *interrupts, int *signal);

/* From here on the signals do what they did before; those that came and were not asked for are gone. */
void interrupts_done(struct interrupts *interrupts);

#endif
