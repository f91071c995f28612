/*
 * The signals with which people and systems end programs, taken as something to read instead of being ended
 * by them: Ctrl-C, Ctrl-\, SIGTERM, SIGHUP; those that mean what a program makes of them, SIGUSR1 and
 * SIGUSR2; and SIGCHLD.
 */
#ifndef TARGET_INTERRUPTS_H
#define TARGET_INTERRUPTS_H

#include <signal.h>
#include <stdbool.h>

#include "base/error.h"

/* What a command ends with that a signal ended early, as shells tell it: this and the signal's number. */
enum { EXIT_CODE_OF_SIGNAL = 128 };

/* To be given back with interrupts_done. */
struct interrupts {
    int descriptor;   /* readable when a signal came; -1 when none are taken */
    sigset_t saved;   /* the signals that were blocked before: what programs are to be started with */
    sigset_t ignored; /* those that were ignored before, which programs inherit */
};

struct interrupt {
    int signal;
    bool is_from_terminal; /* the programs on that terminal have got it, too */
};

/* Returns 0, or -1 with ERROR_IO. */
MUST_CHECK int interrupts_take(struct interrupts *out, struct error *err);

/*
 * The next signal that came; false when there is none. Never waits. What was ignored before is, but for a
 * SIGINT that somebody sends to a command in the background, where shells have it ignored: it is told as
 * SIGTERM, which the program does not ignore.
 */
bool interrupts_next(const struct interrupts *interrupts, struct interrupt *out);

/* From here on the signals do what they did before; those that came and were not asked for are gone. */
void interrupts_done(struct interrupts *interrupts);

/*
 * The next Ctrl-C, the next SIGTERM and the next SIGHUP do nothing, unless they did nothing before; those
 * after them what they did before.
 */
void interrupts_spare_one(void);

#endif
