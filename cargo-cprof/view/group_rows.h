/* A profile's samples grouped by what they have in common, as a table: by function, crate, thread, ... */
#ifndef VIEW_GROUP_ROWS_H
#define VIEW_GROUP_ROWS_H

#include "profile/totals.h"
#include "report/rows.h"
#include "view/group_keys.h"

/*
 * Fills the empty `out`: self are the samples taken in such code itself, total those with it anywhere in the
 * stack, each once. The profile and `out` live on: rows borrow the profile's strings. Returns 0,
 * or -1 with ERROR_FORMAT when the filter backtracks without end, ERROR_MISSING when tasks are asked for and
 * the profile does not tell them.
 */
MUST_CHECK int group_rows_fill(struct profile *profile, uint32_t series, const struct grouping *grouping,
                               struct rows *out, struct error *err);

#endif
