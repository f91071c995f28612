/* One run of what a session records: what session.h tells of programs, signals and time happens here. */
#ifndef RECORD_ONE_RUN_H
#define RECORD_ONE_RUN_H

#include <sys/resource.h>

#include "record/found_threads.h"
#include "record/priority.h"
#include "record/run_times.h"
#include "record/session.h"
#include "sampler/heap_channel.h"
#include "target/interrupts.h"
#include "target/standard_input.h"
#include "target/terminal.h"
#include "target/watched_time.h"

enum session_state {
    SESSION_RUNNING,
    SESSION_ENDING, /* its time is over, or a signal ended it */
    SESSION_STOPPED /* at once */
};

struct session {
    /* Of this run, borrowed: */
    const struct session_request *request;
    struct collection *collection; /* that it is added to */
    struct recorder *recorder;     /* of the collection's profile */
    /* Of all runs: */
    struct interrupts interrupts;
    struct descendants descendants;
    struct standard_input input;
    struct rlimit file_limit; /* of ours at the start, which is the program's, too */
    unsigned interrupt_count;
    int interrupt; /* the first of them */
    /* Of this run, and set by it: */
    struct target program;
    struct priority priority; /* ours before it began */
    struct terminal terminal; /* before the program was started */
    struct sampler *sampler;
    struct heap_channel heap;     /* where the program tells of its memory, if it is to */
    struct found_threads threads; /* of processes that run */
    struct watched_time watched;  /* what these take */
    struct run_times window_from; /* what all have taken when the window was opened */
    struct run_times window_to;   /* and closed; of a program that is watched from start to end nothing */
    enum session_state state;
    uint64_t stopped_ns; /* since when the program is seen to be stopped; 0: it is not */
    uint64_t from_ns;    /* what is kept: from here on */
    uint64_t until_ns;   /* up to here; UINT64_MAX: to the end */
    uint64_t to_ns;      /* when the window was closed; 0: it is not yet, or never was open */
    uint64_t anew_ns;    /* when periods are begun anew; UINT64_MAX: they are not, or were */
    uint64_t kill_ns;    /* when a program that was asked to end is ended; UINT64_MAX: it was not asked */
    bool is_window_open;
    bool has_told_left;
    bool was_ended; /* the program, by us: how it ended says nothing */
};

/* Returns 0, or -1 with the failures of session_run; nothing of the run goes on either way. */
MUST_CHECK int one_run_record(struct session *session, struct error *err);

#endif
