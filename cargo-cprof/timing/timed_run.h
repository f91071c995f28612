/*
 * One run of a program, for what it takes: elapsed time, processor time, memory.
 *
 * The kernel counts what a process had in use before it became a program among that program's peak (exec
 * keeps the larger of both: fs/exec.c, exec_mmap), and we may have much. So a fresh process of ours, which
 * has loaded nothing, starts the program and measures it. Of programs that take less than that, some 1.4 MB,
 * nothing else is known.
 */
#ifndef TIMING_TIMED_RUN_H
#define TIMING_TIMED_RUN_H

#include "target/descendants.h"
#include "target/interrupts.h"
#include "target/launch.h"

struct timed_run {
    uint64_t wall_ns;    /* from letting it go to its end */
    uint64_t user_ns;    /* of it and of what it started and waited for; */
    uint64_t system_ns;  /* likewise; */
    uint64_t peak_bytes; /* the most physical memory that one of these had in use, or our process before */
    uint64_t own_bytes;  /* it became the program: so much */
    int exit_code;       /* 128 + signal when a signal ended it */
    int signal;          /* 0 when it exited by itself */
};

/* While it stands, signals that end programs are taken, and end what runs. */
struct run_guard {
    struct interrupts interrupts;
    struct descendants descendants;
    int signal; /* that came; 0: none */
};

/* Returns 0, or -1 with ERROR_IO. To be given to run_guard_end. */
MUST_CHECK int run_guard_begin(struct run_guard *out, struct error *err);

/* Signals do what they did before. What programs have left running goes on, unless a signal came. */
void run_guard_end(struct run_guard *guard);

/* Whether a signal has come, now or before. */
bool run_guard_is_interrupted(struct run_guard *guard);

/*
 * Runs the program to its end. When a signal comes meanwhile it and all that came from it are asked to end
 * (SIGTERM), ended when they have not done so in two seconds, and `out` is untouched; that is no failure.
 * Returns 0, or -1 with the failures of target_launch and target_release.
 */
MUST_CHECK int timed_run(struct run_guard *guard, const struct launch *what, struct timed_run *out,
                         struct error *err);

/* Whether this process is one that is to start and measure a program. */
bool timed_run_is_wanted(void);

/* Does so: `arguments` are those that follow our own name. The process's exit code. */
int timed_run_answer(const char *const *arguments);

#endif
