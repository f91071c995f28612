/*
 * What ends us while a program of ours runs: Ctrl-C, Ctrl-\, SIGTERM, SIGHUP. A terminal sends its own to
 * both, a process only to us, and the program would go on: with cargo, all the compilers that it has started.
 */
#ifndef PROC_ENDING_H
#define PROC_ENDING_H

#include <signal.h>

#include "proc/spawn.h"

/* From ending_hold to ending_release. */
struct ending {
    sigset_t blocked; /* what the program is to have blocked: what we had before */
    int signals;      /* tells of those that are held; -1: none is */
    int came;         /* the signal that ends us; 0: none so far */
};

/* Lets those wait that are neither blocked nor ignored. */
void ending_hold(struct ending *out);

/* Waits until `descriptor` can be read or one of them comes. Returns 0, or the signal. */
int ending_wait(struct ending *ending, int descriptor);

/*
 * Sends the signal that came to the program and to what came from it, as a terminal does: to those of our
 * process group. The program is still to be waited for.
 */
void ending_hand_on(const struct ending *ending, const struct process *process);

/* All is as before, and the signal that came, if one did, does to us what it does. */
void ending_release(struct ending *ending);

#endif
