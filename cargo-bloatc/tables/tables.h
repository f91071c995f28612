/* A measurement as the rows that are shown: by function or by crate, filtered, in order. */
#ifndef TABLES_TABLES_H
#define TABLES_TABLES_H

#include "content/filter.h"
#include "content/measure.h"
#include "content/settings.h"
#include "report/rows.h"

/*
 * Fills `out` (zeroed; to be given to rows_done either way) from `measurement`, which must
 * outlive it, and what `filter` takes. Returns 0, or -1: ERROR_FORMAT when the filter gives up, ERROR_MISSING
 * when nothing matches it.
 */
MUST_CHECK int tables_fill(const struct measurement *measurement, const struct bloatc_settings *settings,
                           const struct filter *filter, struct rows *out, struct error *err);

/* Whether rows tell whose code they are, which may be inferred. */
bool tables_tell_crates(const struct bloatc_settings *settings);

#endif
