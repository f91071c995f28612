/*
 * A program that is started to be looked at: it exists, but waits with its first instruction until it is
 * let go. Its standard streams and its terminal are ours.
 *
 * While it runs, Ctrl-C and Ctrl-\ on the terminal are the program's: it gets them from the terminal, we go
 * on to write what was recorded. SIGTERM and SIGHUP to us are handed on to it. A second Ctrl-C, or any of
 * these signals when the program has ended already, asks us to stop at once.
 */
#ifndef TARGET_LAUNCH_H
#define TARGET_LAUNCH_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"

/* What to start; all borrowed. */
struct launch {
    const char *const *argv;        /* ends in NULL; a name without "/" is looked up in PATH */
    const char *const *environment; /* changes to ours, as of struct spawn; NULL: none */
    const char *directory;          /* where it runs; NULL for ours */
};

struct target_end {
    int exit_code;   /* 128 + signal when a signal ended it */
    int signal;      /* 0 when it exited by itself */
    uint64_t cpu_ns; /* user and system time of it and of the children that it waited for */
    uint64_t wall_ns;
};

/* Zero-initialised is none; otherwise to be released with target_done. */
struct target {
    pid_t pid;      /* 0: none, or it was waited for */
    int release;    /* our end of the pipe it waits on; -1 once it was let go */
    int failure;    /* our end of the pipe that tells why exec failed */
    int signals;    /* signalfd; readable when the program ended or one of our signals came */
    sigset_t saved; /* the signals that were blocked before */
    uint64_t start_ns;
    unsigned interrupt_count;
    bool has_ended;
    struct target_end end; /* once it has ended */
};

/* Returns 0, or -1 with ERROR_IO when the system refuses or the folder cannot be entered. */
MUST_CHECK int target_launch(const struct launch *what, struct target *out, struct error *err);

/*
 * Lets it go. Returns 0 when the program runs, or -1: ERROR_MISSING when there is no such program,
 * ERROR_DENIED when it may not be executed, ERROR_IO for anything else; `program` is for the message.
 */
MUST_CHECK int target_release(struct target *target, const char *program, struct error *err);

/* Becomes readable when target_update has something to do. */
int target_descriptor(const struct target *target);

/* Takes what happened: the program's end, signals. Returns false when we are asked to stop at once. */
bool target_update(struct target *target);

/* Waits for the end of the program if it has not ended yet. */
void target_wait(struct target *target);

/* Ends the program, without asking it, if it has not ended yet. */
void target_kill(struct target *target);

/* Ends what was never let go, and gives back the signals. */
void target_done(struct target *target);

#endif
