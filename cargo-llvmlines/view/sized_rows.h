/* The table of groups with what is left of each in the code. */
#ifndef VIEW_SIZED_ROWS_H
#define VIEW_SIZED_ROWS_H

#include "measure/measure.h"
#include "report/rows.h"
#include "view/entries.h"

/*
 * Adds columns, rows, facts and the note that accounts for the rest of the code; `name` is the heading of the
 * last column. `total` is filled with what all groups add up to. The measurement has sizes.
 */
void sized_rows_fill(const struct measurement *measurement, const struct entries *entries, const char *name,
                     struct rows *rows, union cell *total);

#endif
