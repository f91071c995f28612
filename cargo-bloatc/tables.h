/* A measurement as the rows that are shown: by function or by crate, filtered, in order. */
#ifndef CARGO_BLOATC_TABLES_H
#define CARGO_BLOATC_TABLES_H

#include "command_line.h"
#include "measure.h"
#include "report/rows.h"

/*
 * Fills `out` (zeroed; to be given to rows_done either way) from `measurement`, which must
 * outlive it. Returns 0, or -1: ERROR_USAGE for a filter that is no regular expression, ERROR_MISSING for
 * one that nothing matches.
 */
MUST_CHECK int tables_fill(const struct measurement *measurement, const struct bloatc_settings *settings,
                           struct rows *out, struct error *err);

#endif
