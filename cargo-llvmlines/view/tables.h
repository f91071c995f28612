/* What was counted, as the rows of a report. */
#ifndef VIEW_TABLES_H
#define VIEW_TABLES_H

#include "base/regex.h"
#include "measure/measure.h"
#include "report/rows.h"

/* The columns of the table of functions that have cells of their own. */
enum {
    COLUMN_LINES,
    COLUMN_LINES_SUM = 2,
    COLUMN_COPIES = 4,
    COLUMN_COPIES_SUM = 6,
    COLUMN_NAME = 8,
    COLUMN_INLINING
};

/* The same with sizes. */
enum {
    SIZED_LINES,
    SIZED_COPIES = 2,
    SIZED_LEFT,
    SIZED_BYTES,
    SIZED_INLINING_SHOWN = 6,
    SIZED_NAME,
    SIZED_INFERRED,
    SIZED_ELSEWHERE,
    SIZED_INLINING,
};

/* What a row stands for: in JSON, in "and 12 more functions", above the names. */
struct row_words {
    const char *list_key;
    const char *noun;
    const char *title;
};

const struct row_words *tables_row_words(enum grouping by);

/* Whether rows have what was asked about inlining: those of functions that were counted by the wrapper. */
bool tables_have_inlining(const struct groups *groups);

/* Adds the column of the versions of crates, which is the last one, where cargo told them. */
void tables_add_version_column(const struct measurement *measurement, struct rows *rows);

/* Rows that refer to each other: not to be moved. Zero-initialised is empty. */
struct tables {
    struct rows
        functions; /* one row a group, as they are to be sorted; `parts` beside them when there are several */
    struct rows parts;
    union cell total[ROWS_COLUMNS_MAX];
    const bool *has_row; /* of each of the measurement's groups, whether the filter took it */
};

void tables_done(struct tables *tables);

/*
 * Fills the tables, which borrow nothing, with the functions whose name matches the settings' filter,
 * compiled as `filter`; NULL for all. Returns 0, or -1: ERROR_FORMAT when matching takes too long,
 * ERROR_MISSING when no function matches.
 */
MUST_CHECK int tables_make(const struct measurement *measurement, const struct llvmlines_settings *settings,
                           const struct regex *filter, struct tables *out, struct error *err);

#endif
