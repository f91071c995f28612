#include "report/render.h"

void render_csv(struct text *text, const struct rows *rows)
{
    const char *separator = "";

    for (size_t i = 0; i < rows->column_count; i++)
        if (rows->columns[i].key) {
            text_format(text, "%s%s", separator, rows->columns[i].key);
            separator = ",";
        }
    text_add_string(text, "\r\n");
    for (size_t row = 0; row < rows_shown(rows); row++) {
        separator = "";
        for (size_t i = 0; i < rows->column_count; i++) {
            if (!rows->columns[i].key)
                continue;
            text_add_string(text, separator);
            separator = ",";
            if (column_is_text(rows->columns[i].kind))
                text_add_csv(text, rows_at(rows, row)[i].text);
            else
                column_add_number(text, rows->columns[i].kind, rows_at(rows, row)[i].number);
        }
        text_add_string(text, "\r\n");
    }
}
