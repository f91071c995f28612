/* What the options about recording say: what is watched, which events, how often, how long. */
#ifndef RECORD_RECORDING_H
#define RECORD_RECORDING_H

#include "base/arena.h"
#include "cli/options.h"
#include "record/session.h"
#include "target/machine.h"

/* Of every command that records. -g, which is not shown, is what perf takes for what is always done here. */
extern const struct option_table recording_options;

/* The exit codes of these commands. */
#define RECORDING_EXIT_STATUS                                                                                \
    "Of the program that is run: its own; 128 and the number of the signal that ended it; 127 when it is "   \
    "not there and 126 when it cannot be executed. 0 with --ignore-status, where --duration ended it, and "  \
    "where what ran before is watched without a command.\n"                                                  \
    "Of cargo-cprof itself: 1 failed; 2 wrong usage; 130 when it was stopped before the base of --diff had " \
    "ended"

/* What is watched instead of a program that is started: with letters in commands that never build. */
extern const struct option_table watching_options;
extern const struct option_table watching_options_with_letters;

/* To be released with recording_done. */
struct recording {
    struct session_request session; /* all but what is launched; borrows from the others */
    bool ignores_status;            /* the program's exit code is not handed on */
    bool has_no_inlined;            /* inlined calls are not told apart */
    struct arena arena;
    struct cpus cpus;
    struct pids pids;
};

/*
 * Reads the options, which must be those of a command with these tables. Returns 0, or -1 with ERROR_USAGE
 * when a value is none or two contradict each other, or as of event_name_read. `out` is to be given to
 * recording_done either way, and is not moved.
 */
MUST_CHECK int recording_read(const struct options *options, struct recording *out, struct error *err);

/* Whether something is watched that runs already. */
bool recording_watches(const struct recording *recording);

void recording_done(struct recording *recording);

#endif
