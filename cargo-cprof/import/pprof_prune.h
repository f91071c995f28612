/*
 * What a profile of pprof says is to be left out of stacks: functions that drop_frames matches as a whole,
 * and keep_frames does not, with all that they call. Those before a stack's first other function stay. As
 * Profile.RemoveUninteresting of github.com/google/pprof does.
 */
#ifndef IMPORT_PPROF_PRUNE_H
#define IMPORT_PPROF_PRUNE_H

#include "base/compiler.h"
#include "import/pprof_message.h"

/* What of a location is left out. */
enum pprof_pruned {
    PPROF_PRUNED_NOTHING,
    PPROF_PRUNED_INLINED, /* the calls that are inlined into what stays, */
    PPROF_PRUNED_ALL,     /* and these with it */
};

struct pprof_prune {
    enum pprof_pruned *locations; /* owned; by place in the message; NULL: all of it stays */
};

/*
 * Takes inlined calls out of the message's locations that are left out wherever these are. Returns 0, or -1
 * with ERROR_FORMAT where an expression is none, or takes too long, ERROR_MISSING without PCRE2.
 */
MUST_CHECK int pprof_prune_init(struct pprof_message *message, struct pprof_prune *out, struct error *err);
void pprof_prune_done(struct pprof_prune *prune);

/* Takes what is left out of a sample's locations. */
void pprof_prune_sample(const struct pprof_prune *prune, struct pprof_sample *sample);

#endif
