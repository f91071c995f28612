/*
 * A program that is started to be looked at: it exists, but waits with its first instruction until it is
 * let go. Its standard streams are ours unless asked otherwise; its terminal is, so Ctrl-C and Ctrl-\ there
 * are its own.
 */
#ifndef TARGET_LAUNCH_H
#define TARGET_LAUNCH_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"

struct pids;

enum launch_output {
    LAUNCH_OUTPUT_OURS,
    LAUNCH_OUTPUT_NONE,     /* what it writes to standard output and standard error is lost */
    LAUNCH_OUTPUT_AS_ERROR, /* both go where our standard error goes */
};

/* What to start; all borrowed. */
struct launch {
    const char *const *argv;        /* ends in NULL; a name without "/" is looked up in PATH */
    const char *const *environment; /* changes to ours, as of struct spawn; NULL: none */
    const char *directory;          /* where it runs; NULL for ours */
    const char *input;              /* what it reads from standard input; NULL: ours */
    enum launch_output output;
    const sigset_t *signals;      /* those that are blocked in it; set by who takes ours */
    const struct pids *strangers; /* children that we had before; until target_done; NULL: none */
    bool is_privileged;           /* it keeps the right that we put aside: proc/owner.h */
    bool has_fixed_layout;        /* its memory is laid out the same each time: personality(2) */
};

struct target_end {
    int exit_code;        /* 128 + signal when a signal ended it */
    int signal;           /* 0 when it exited by itself */
    uint64_t cpu_ns;      /* user and system time of it and of what came from it and was waited for, */
    uint64_t all_user_ns; /* and the user's of both; */
    uint64_t user_ns;     /* without those that lost their parent; */
    uint64_t system_ns;
    uint64_t disk_bytes;       /* what these read from disks, who lost their parent among them; */
    uint64_t peak_bytes;       /* and the most memory that one of them had in use, */
    uint64_t own_bytes;        /* or the program's process before it became it: so much; 0: not known */
    uint64_t wall_ns;          /* up to the end of the program itself */
    uint64_t run_delay_ns;     /* how long its main thread waited for a processor */
    uint64_t machine_delay_ns; /* how long some thread of the machine did meanwhile */
};

/* Begins as TARGET_NONE; to be released with target_done. */
struct target {
    pid_t pid;                    /* 0: none, or it was waited for */
    int release;                  /* our end of the pipe it waits on; -1 once it was let go */
    int failure;                  /* our end of the pipe that tells why exec failed */
    const struct pids *strangers; /* as of struct launch: what they take is not of the program */
    uint64_t start_ns;
    uint64_t own_cpu_ns;       /* what it had taken by then, before it became the program, */
    uint64_t own_bytes;        /* and the most memory it had in use */
    uint64_t machine_delay_ns; /* at its start */
    bool has_ended;
    struct target_end end; /* once it has ended */
};

#define TARGET_NONE ((struct target){.release = -1, .failure = -1})

/* Returns 0, or -1 with ERROR_IO when the system refuses. */
MUST_CHECK int target_launch(const struct launch *what, struct target *out, struct error *err);

/*
 * Lets it go. Returns 0 when the program runs, or -1: ERROR_MISSING with exit code 127 when there is no
 * such program, ERROR_DENIED or ERROR_IO with 126 when it cannot be executed, ERROR_DENIED when the system
 * does not lay out memory as asked, ERROR_IO for anything else, its input among it; `program` is for the
 * message.
 */
MUST_CHECK int target_release(struct target *target, const char *program, struct error *err);

/* Takes notice of those of our children that have ended. */
void target_update(struct target *target);

/* Whether it is stopped now, as by the terminal (SIGTSTP, SIGTTIN, SIGTTOU), and has not gone on. */
bool target_is_stopped(const struct target *target);

/* Sends it a signal if it has not ended yet. False where it has rights of its own that forbid that. */
bool target_signal(const struct target *target, int signal);

/* Waits for the end of the program if it has not ended yet. */
void target_wait(struct target *target);

/* Whether we have children that nobody has waited for, those of ours from before among them. */
bool target_has_orphans(void);

/* Ends what was never let go. */
void target_done(struct target *target);

#endif
