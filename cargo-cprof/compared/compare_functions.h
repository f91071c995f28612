/* Which functions' CPU time, or what they have of an event, changed from one measured program to the other.
 */
#ifndef COMPARED_COMPARE_FUNCTIONS_H
#define COMPARED_COMPARE_FUNCTIONS_H

#include "changes/changes.h"
#include "compared/compare_event.h"
#include "compared/compare_profiles.h"
#include "report/rows.h"
#include "timing/figure_rows.h"

/* What the rows borrow from. To be released with compared_functions_done. Zero-initialised is none. */
struct compared_functions {
    struct compared_profiles profiles;
    struct changes changes;
    bool has_changes;
    struct other_figure events[COMPARE_EVENT_MOST]; /* how much of what was asked for a run has, where that is
                                                       no time */
    size_t event_count;
    struct arena arena;
    struct rows rows; /* as of change_rows_fill, of one run; empty unless has_changes */
};

/* What is asked for; all borrowed. */
struct compared_functions_request {
    const struct options *options;
    const struct timing_request *timing;
    const struct figures *figures;
    double pair_seconds;             /* that a run of each takes, with the commands around them */
    struct sampler_request sampling; /* one event, or none for the usual one */
    struct warnings *warnings;
};

/*
 * Profiles both and compares: in CPU time of one run, as it was measured; by share where that did not change
 * beyond noise, since functions then have only each other to be held against. Events that are no time are
 * compared by what was counted, or by time waited, in a run. Returns 0, or -1 as of compared_profiles_record,
 * measure_make and empty_side_check. A signal that comes meanwhile is no failure: there are no changes then.
 */
MUST_CHECK int compared_functions_find(const struct compared_functions_request *request,
                                       struct compared_functions *out, struct error *err);

void compared_functions_done(struct compared_functions *functions);

#endif
