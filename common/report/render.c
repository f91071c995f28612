#include "report/render.h"

#include "base/units.h"

const char *const render_format_names[] = {"table", "json", "csv", "markdown", NULL};

void render(struct text *text, const struct rows *rows, enum render_format format, struct render_look look)
{
    switch (format) {
    case RENDER_TABLE:
        render_table(text, rows, look);
        break;
    case RENDER_JSON:
        render_json(text, rows);
        break;
    case RENDER_CSV:
        render_csv(text, rows);
        break;
    case RENDER_MARKDOWN:
        render_markdown(text, rows);
        break;
    }
}

bool render_format_of_name(const char *path, enum render_format *format)
{
    static const struct {
        const char *ending;
        enum render_format format;
    } endings[] = {
        {".json", RENDER_JSON}, {".csv", RENDER_CSV}, {".md", RENDER_MARKDOWN}, {".txt", RENDER_TABLE}};

    for (size_t i = 0; i < ARRAY_COUNT(endings); i++)
        if (slice_ends_with(slice_of(path), slice_of(endings[i].ending))) {
            *format = endings[i].format;
            return true;
        }
    return false;
}

void render_cell(struct text *text, const struct column *column, const union cell *row, size_t index)
{
    switch (column->kind) {
    case COLUMN_TEXT:
        text_add(text, row[index].text);
        break;
    case COLUMN_BYTES:
        units_add_bytes(text, row[index].number);
        break;
    case COLUMN_INCLUSIVE_BYTES:
        if (row[index].number != ROWS_NO_SUM)
            units_add_bytes(text, row[index].number);
        break;
    case COLUMN_INCLUSIVE:
        if (row[index].number == ROWS_NO_SUM)
            break;
        units_add_count(text, row[index].number);
        break;
    case COLUMN_COUNT:
    case COLUMN_RUNNING:
        units_add_count(text, row[index].number);
        break;
    case COLUMN_SHARE:
        if (row[column->of_column].number == ROWS_NO_SUM)
            break;
        units_add_percent(text, row[column->of_column].number, column->whole);
        break;
    }
}

void render_left_out(struct text *text, const struct rows *rows)
{
    size_t count = rows_count(rows) - rows_shown(rows);

    text_add_string(text, "and ");
    units_add_count(text, count);
    text_format(text, " more %s%s", rows->noun, count == 1 ? "" : "s");
    if (rows->how_to_see_all)
        text_format(text, "; %s", rows->how_to_see_all);
}
