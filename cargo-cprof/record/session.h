/*
 * One recording from its start to its end: a program that is started, processes that run, or the machine; for
 * how long; what signals do meanwhile.
 *
 * With a program, Ctrl-C and Ctrl-\ on the terminal are the program's: it gets them from the terminal, we go
 * on to write what was recorded. SIGTERM, SIGHUP, and SIGINT and SIGQUIT that a process sends, are handed on
 * to it, as SIGUSR1 and SIGUSR2 are, which end nothing. The second of them, or any of them when the program
 * has ended already, stops at once. Without a program the first of them ends the recording. What was started
 * by us is ended with us, what was running goes on.
 *
 * What was recorded is there to be written either way: of SIGINT, SIGTERM and SIGHUP the first that comes
 * when the recording is over does nothing (interrupts_spare_one), the next one does what it does.
 */
#ifndef RECORD_SESSION_H
#define RECORD_SESSION_H

#include "collect/collect.h"
#include "process/pid_list.h"
#include "symbolize/jit/names.h"
#include "target/descendants.h"
#include "target/launch.h"

/* Called while a recording goes on, or at its end. */
typedef void (*session_left_fn)(const void *context, const struct descendant *left);

/* All borrowed. */
struct session_request {
    struct launch launch;            /* argv NULL: no program is started */
    struct sampler_request sampling; /* scope and threads are set here */
    bool is_machine;                 /* whatever runs, and not what is started */
    struct pids pids;                /* processes that run, and not what is started; empty: none */
    uint64_t delay_ns;               /* from the start; samples from before are not kept */
    uint64_t duration_ns;            /* after the delay; 0: until the program ends or a signal comes */
    unsigned run_count;              /* of the program, one after the other, until one fails */
    bool runs_on;                    /* also after one that failed */
    const char *const *prepare;   /* a command that is run before each run, as of around_run.h; NULL: none */
    const char *const *conclude;  /* and one after each */
    session_left_fn tell_of_left; /* once, if the program ended a second ago and others go on: one of these;
                                     NULL: nobody wants to know */
    session_left_fn tell_of_unended; /* if one of these could not be ended with the others; NULL likewise */
    const void *tell_context;
    const char *const *sample_folders; /* as of block_file_open: where samples are kept meanwhile; NULL, or if
                                          no file can be made there: in memory */
};

/* To be released with collection_done. */
struct collection {
    struct profile profile;       /* a series for each event; nothing is symbolized yet */
    struct open_files files;      /* of modules that the profile's paths do not lead to */
    struct jit_doubts jit_doubts; /* of names of code made at run time */
    int exit_code;                /* of the program; 0 when there is none, or the duration ended it */
    bool is_denied_kernel;        /* the kernel's part is missing for want of a right */
    int interrupt;                /* the first signal that came to end it; 0: none */
    int ended_by;                 /* the last signal that ended the program, nobody having asked; 0: none */
    bool was_cut_short;       /* one came, or ended the program, or runs are missing: there was more to do */
    uint64_t throttled_count; /* times the kernel slowed the sampling down */
    uint64_t damaged_count;   /* records that could not be read */
};

/*
 * Returns 0 when it was recorded, however the program ended and however little there was to record; -1 with
 * the failures of attach_check_proc, attach_check, target_launch, target_release, sampler_open and
 * around_run, when it was not.
 */
MUST_CHECK int session_run(const struct session_request *request, struct collection *out, struct error *err);

/* So many can be recorded in turn. */
enum { SESSION_MEMBERS_MAX = 2 };

/*
 * The same of `count` programs, up to SESSION_MEMBERS_MAX, that are run in turn (A B B A ...), each as often
 * as the first request says. A signal ends it for all. `out` has room for as many, in their order; one that
 * was not begun by then has no series.
 */
MUST_CHECK int session_run_in_turn(const struct session_request *requests, size_t count,
                                   struct collection *out, struct error *err);

void collection_done(struct collection *collection);

#endif
