/*
 * Starting programs, given as a vector of arguments and never through a shell, and
 * waiting for them. No descriptor of ours but the three standard streams reaches a
 * program that is started here.
 */
#ifndef PROC_SPAWN_H
#define PROC_SPAWN_H

#include <signal.h>
#include <sys/types.h>

#include "base/error.h"

enum spawn_stream {
    SPAWN_INHERIT, /* ours */
    SPAWN_NULL,    /* /dev/null */
    SPAWN_PIPE,    /* a pipe whose other end we get */
};

/* What to start; all borrowed for the call. */
struct spawn {
    const char *const *argv;        /* ends in NULL; a name without "/" is looked up in PATH */
    const char *const *environment; /* NULL, or ends in NULL: "NAME=value" sets and "NAME" removes
                                       a variable; all others are ours */
    const char *directory;          /* where it runs, and where an argv[0] with "/" is looked up;
                                       NULL for ours */
    enum spawn_stream input, output, error;
    const sigset_t *blocked; /* the signals that it has blocked; NULL: those that we have */
};

/* A program that runs. Our ends of its pipes are O_CLOEXEC; -1 where there is no pipe. */
struct process {
    pid_t pid; /* until process_wait; -1 after it */
    int input, output, error;
};

/* How a program ended. */
struct process_status {
    int exit_code; /* 0 to 255; 128 + signal when a signal ended it, as shells have it */
    int signal;    /* 0 when it exited by itself */
};

struct process_status process_status_of_signal(int number);

/*
 * A pipe, O_CLOEXEC, whose ends stand clear of the standard streams: when one of ours is closed, a new
 * descriptor would take its number, and a child's dup2 calls would overwrite each other. Sets `pair`, [0] to
 * read and [1] to write, which is the caller's to close either way: -1 where there is no end. Returns 0, or
 * -1 with errno.
 */
MUST_CHECK int pipe_clear_of_streams(int pair[2]);

/* Sets the hint for an errno that tells of a limit that keeps a program from being started; of others none.
 */
void spawn_hint_shortage(int cause, struct error *err);

/*
 * Starts the program; of our signals it inherits as of execve(2). Returns 0, or -1:
 * ERROR_MISSING when there is no such program, ERROR_DENIED when it may not be executed, ERROR_IO when the
 * folder cannot be entered or the system refuses; nothing runs then and no descriptor stays open.
 */
MUST_CHECK int spawn_start(const struct spawn *what, struct process *out, struct error *err);

/* Closes our ends of the pipes that are still open. */
void process_close_pipes(struct process *process);

/*
 * Waits for the end of a process that spawn_start began; to be called once. The pipes stay as they
 * are. Returns 0, or -1 with ERROR_IO when the system does not tell, as where SIGCHLD is ignored, which
 * command_main ends.
 */
MUST_CHECK int process_wait(struct process *process, struct process_status *out, struct error *err);

/*
 * Ends a process that spawn_start began: asks it to (SIGTERM) and, when it has not done so in two seconds,
 * does it (SIGKILL). Waits for it; the pipes stay as they are.
 */
void process_end(struct process *process);

/*
 * 0 when it exited with 0. Otherwise -1 with ERROR_CHILD and the program's exit code; the message
 * says how `program` ended.
 */
MUST_CHECK int process_check(const char *program, struct process_status status, struct error *err);

#endif
