/* The table of pieces of data, and what is said below tables of the whole file. */
#ifndef TABLES_DATA_TABLES_H
#define TABLES_DATA_TABLES_H

#include "content/filter.h"
#include "content/settings.h"
#include "report/rows.h"

/*
 * Fills `rows` with a row for each piece of data that `filter` takes: those of a crate, or those whose name
 * or function the regular expression matches. Returns 0, or -1 with ERROR_FORMAT when that gives up.
 */
MUST_CHECK int data_fill(const struct measurement *measurement, const struct bloatc_settings *settings,
                         const struct filter *filter, struct rows *rows, struct error *err);

/* What people see of a piece: its name and the function that alone refers to it. In `arena` or of the owner.
 */
struct slice data_label(struct arena *arena, const struct measured_data *data, const struct measured *owner);

/* Whether `filter` takes the piece that is shown like this: 1 or 0; -1 as of data_fill. */
MUST_CHECK int data_filter_takes(const struct filter *filter, const struct measured *owner,
                                 struct slice label, struct error *err);

/*
 * Adds how it is known whose the data is, as a line and as facts: of all data, which the line says where the
 * rows are not of all.
 */
void data_add_notes(const struct measurement *measurement, bool is_filtered, struct rows *rows);

#endif
