#include "tables/columns.h"

/* With data: one for each kind. The rest is no crate's, so that its rows show it as their size. */
static const struct column cost_columns[ACCOUNT_KINDS] = {
    [ACCOUNT_CODE] = {COLUMN_BYTES, "Code", "code-size", 0, 0},
    [ACCOUNT_DATA] = {COLUMN_BYTES, "Data", "data-size", 0, 0},
    [ACCOUNT_UNWIND] = {COLUMN_BYTES, "Unwind", "unwind-size", 0, 0},
    [ACCOUNT_RELOCATIONS] = {COLUMN_BYTES, "Relocs", "relocation-size", 0, 0},
    [ACCOUNT_SYMBOLS] = {COLUMN_BYTES, "Symbols", "symbol-size", 0, 0},
    [ACCOUNT_DEBUG] = {COLUMN_BYTES, "Debug", "debug-size", 0, 0},
    [ACCOUNT_OTHER] = {COLUMN_BYTES, NULL, "other-size", SIZE_COLUMN, 0},
};

/* Pieces of data are of one kind. */
static bool shows_costs(const struct bloatc_settings *settings)
{
    return settings->with_data && settings->by != BY_DATA;
}

void columns_add_sizes(struct rows *rows, const struct measurement *measurement,
                       const struct bloatc_settings *settings)
{
    const char *file = settings->hide_shares ? NULL : "File";
    const char *section = settings->hide_shares || settings->with_data
                              ? NULL
                              : arena_copy(&rows->arena, slice_of(settings->section));

    rows_add_column(rows, (struct column){COLUMN_SHARE, file, NULL, SIZE_COLUMN, measurement->file_bytes});
    rows_add_column(rows,
                    (struct column){COLUMN_SHARE, section, NULL, SIZE_COLUMN, measurement->section_bytes});
    rows_add_column(rows, (struct column){COLUMN_BYTES, "Size", "size", 0, 0});
    for (size_t i = 0; shows_costs(settings) && i < ACCOUNT_KINDS; i++)
        rows_add_column(rows, cost_columns[i]);
}

size_t columns_of_sizes(const struct bloatc_settings *settings)
{
    return SIZE_COLUMN + 1 + (shows_costs(settings) ? ACCOUNT_KINDS : 0);
}

void row_size_add(struct row_size *size, const struct measured *measured)
{
    size->size_bytes += measured->size_bytes;
    for (size_t i = 0; i < ACCOUNT_KINDS; i++)
        size->cost[i] += measured->cost[i];
}

void row_size_join(struct row_size *size, const struct row_size *other)
{
    size->size_bytes += other->size_bytes;
    for (size_t i = 0; i < ACCOUNT_KINDS; i++)
        size->cost[i] += other->cost[i];
}

union cell *columns_set_sizes(union cell *row, const struct row_size *size,
                              const struct bloatc_settings *settings)
{
    row[SIZE_COLUMN].number = size->size_bytes;
    for (size_t i = 0; shows_costs(settings) && i < ACCOUNT_KINDS; i++)
        row[SIZE_COLUMN + 1 + i].number = size->cost[i];
    return row + columns_of_sizes(settings);
}

const char *columns_noun(const struct bloatc_settings *settings, const char *thing)
{
    return settings->with_data ? "row" : thing;
}

struct slice columns_source_name(enum crate_source source)
{
    static const struct slice names[] = {
        [CRATE_UNKNOWN] = {0},
        [CRATE_FROM_SYMBOL] = SLICE("symbol"),
        [CRATE_FROM_UNIT] = SLICE("debug-info"),
        [CRATE_FROM_FILE_SYMBOL] = SLICE("unit-symbol"),
        [CRATE_FROM_RLIB] = SLICE("rlib"),
        [CRATE_FROM_LINE] = SLICE("line"),
        [CRATE_INFERRED] = SLICE("inferred"),
    };

    return names[source];
}
