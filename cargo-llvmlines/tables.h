/* What was counted, as the rows of a report. */
#ifndef CARGO_LLVMLINES_TABLES_H
#define CARGO_LLVMLINES_TABLES_H

#include "measure.h"
#include "report/rows.h"

/* Rows that refer to each other: not to be moved. Zero-initialised is empty. */
struct tables {
    struct rows
        functions; /* one row a group, the largest first; `parts` beside them when there are several */
    struct rows parts;
    union cell total[ROWS_COLUMNS_MAX];
};

void tables_done(struct tables *tables);

/*
 * Fills the tables, which borrow nothing. Returns 0, or -1: as of regex_compile for the filter, ERROR_FORMAT
 * when it takes too long, ERROR_MISSING when no function matches it.
 */
MUST_CHECK int tables_fill(const struct measurement *measurement, const struct llvmlines_settings *settings,
                           struct tables *out, struct error *err);

#endif
