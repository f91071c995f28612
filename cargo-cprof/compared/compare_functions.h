/* Which functions' CPU time changed from one measured program to the other. */
#ifndef COMPARED_COMPARE_FUNCTIONS_H
#define COMPARED_COMPARE_FUNCTIONS_H

#include "changes/changes.h"
#include "compared/compare_profiles.h"
#include "report/rows.h"
#include "timing/figures.h"

/* What the rows borrow from. To be released with compared_functions_done. Zero-initialised is none. */
struct compared_functions {
    struct compared_profiles profiles;
    struct changes changes;
    bool has_changes;
    struct rows rows; /* as of change_rows_fill, of one run; empty unless has_changes */
};

/*
 * Profiles both and compares: in CPU time of one run, as it was measured; by share where that did not change
 * beyond noise, since functions then have only each other to be held against. Returns 0, or -1 as of
 * compared_profiles_record and measure_make. A signal that comes meanwhile is no failure: there are no
 * changes then.
 */
MUST_CHECK int compared_functions_find(const struct timing_request *timing, const struct figures *figures,
                                       struct compared_functions *out, struct error *err);

void compared_functions_done(struct compared_functions *functions);

#endif
