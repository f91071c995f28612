/* Tables that put functions together: by crate, module, generic, source file or line; and the instances of
 * one generic. */
#ifndef TABLES_GROUP_TABLES_H
#define TABLES_GROUP_TABLES_H

#include "content/filter.h"
#include "content/measure.h"
#include "content/settings.h"
#include "report/rows.h"

/*
 * Each fills `rows` with columns and rows from what the filter takes. Returns 0, or -1 with the failures of
 * filter_takes.
 */
MUST_CHECK int crates_fill(const struct measurement *measurement, const struct bloatc_settings *settings,
                           const struct filter *filter, struct rows *rows, struct error *err);
MUST_CHECK int modules_fill(const struct measurement *measurement, const struct bloatc_settings *settings,
                            const struct filter *filter, struct rows *rows, struct error *err);
MUST_CHECK int generics_fill(const struct measurement *measurement, const struct bloatc_settings *settings,
                             const struct filter *filter, struct rows *rows, struct error *err);
MUST_CHECK int files_fill(const struct measurement *measurement, const struct bloatc_settings *settings,
                          const struct filter *filter, struct rows *rows, struct error *err);
MUST_CHECK int lines_fill(const struct measurement *measurement, const struct bloatc_settings *settings,
                          const struct filter *filter, struct rows *rows, struct error *err);

/* What people see before the name of a crate that is inferred for more than half of its row. */
#define CRATES_INFERRED_MARK "~"

/* What makes most of it certain: link-time optimisation leaves some doubts. */
#define CRATES_INFERRED_HINT "line tables would tell most of them (--exact builds with them)"

/*
 * Whether a row that people get to see has the mark, of rows that crates_fill made and that are in order;
 * never beside what each is known from. The column of the mark is hidden where none does.
 */
bool crates_mark(struct rows *rows, const struct bloatc_settings *settings);

/*
 * The instances of the function that settings->instances names: as generics_fill shows it, as these rows do
 * ("dup[1f2e]::plain"), or its last parts ("Vec::push"). Fails with ERROR_MISSING too, for a name that no
 * function has, and ERROR_USAGE for one that several have.
 */
MUST_CHECK int instances_fill(const struct measurement *measurement, const struct bloatc_settings *settings,
                              const struct filter *filter, struct rows *rows, struct error *err);

/* Whether some of the rows that instances_fill made have names of the legacy mangling, which tell no
 * arguments. */
bool instances_have_legacy_names(const struct rows *rows, const struct bloatc_settings *settings);

/* What of the rows that instances_fill made is of crates that are inferred from names. */
uint64_t instances_inferred_bytes(const struct rows *rows, const struct bloatc_settings *settings);

#endif
