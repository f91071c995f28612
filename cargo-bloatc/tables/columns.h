/* What all tables of functions begin with: two shares, a size and, with data, what it is made of. */
#ifndef TABLES_COLUMNS_H
#define TABLES_COLUMNS_H

#include "content/measure.h"
#include "content/settings.h"
#include "report/rows.h"

/* The index of the column of sizes. */
enum { SIZE_COLUMN = 2 };

/* What a row takes, and with data of which kinds. */
struct row_size {
    uint64_t size_bytes;
    uint64_t cost[ACCOUNT_KINDS];
};

/* Sums. */
void row_size_add(struct row_size *size, const struct measured *measured);
void row_size_join(struct row_size *size, const struct row_size *other);

/* Fills the row's size, and tells where the cells of the table's own columns start. */
union cell *columns_set_sizes(union cell *row, const struct row_size *size,
                              const struct bloatc_settings *settings);

/* How many columns columns_add_sizes adds. */
size_t columns_of_sizes(const struct bloatc_settings *settings);

void columns_add_sizes(struct rows *rows, const struct measurement *measurement,
                       const struct bloatc_settings *settings);

/* What rows are called: the thing, or with data rows, as then not all of them are such things. */
const char *columns_noun(const struct bloatc_settings *settings, const char *thing);

/* What outputs call how a crate is known; empty for not at all. */
struct slice columns_source_name(enum crate_source source);

#endif
