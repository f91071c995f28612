/* What all tables of functions begin with: two shares and a size. */
#ifndef CARGO_BLOATC_COLUMNS_H
#define CARGO_BLOATC_COLUMNS_H

#include "command_line.h"
#include "measure.h"
#include "report/rows.h"

/* The index of the column of sizes; the table's own columns come behind it. */
enum { SIZE_COLUMN = 2 };

void columns_add_sizes(struct rows *rows, const struct measurement *measurement,
                       const struct bloatc_settings *settings);

#endif
