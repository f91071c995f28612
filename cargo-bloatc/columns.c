#include "columns.h"

void columns_add_sizes(struct rows *rows, const struct measurement *measurement,
                       const struct bloatc_settings *settings)
{
    const char *file = settings->hide_shares ? NULL : "File";
    const char *section =
        settings->hide_shares ? NULL : arena_copy(&rows->arena, slice_of(settings->section));

    rows_add_column(rows, (struct column){COLUMN_SHARE, file, NULL, SIZE_COLUMN, measurement->file_bytes});
    rows_add_column(rows,
                    (struct column){COLUMN_SHARE, section, NULL, SIZE_COLUMN, measurement->section_bytes});
    rows_add_column(rows, (struct column){COLUMN_BYTES, "Size", "size", 0, 0});
}
