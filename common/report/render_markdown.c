#include "report/render.h"

/* Text set as code; "|" would end the table's cell even there (GitHub Flavored Markdown, tables). */
static void add_code(struct text *text, struct slice name)
{
    SCOPED(text_done) struct text escaped = {0};
    struct slice clean = {0};
    const char *fence = "`";

    if (name.length == 0)
        return;
    text_add_terminal(&escaped, name);
    clean = text_slice(&escaped);
    if (slice_find_byte(clean, '`') < clean.length)
        fence = "`` ";
    text_add_string(text, fence);
    for (size_t i = 0; i < clean.length; i++) {
        if (clean.data[i] == '|')
            text_add_byte(text, '\\');
        text_add_byte(text, clean.data[i]);
    }
    text_add_string(text, fence[1] ? " ``" : "`");
}

static void add_row(struct text *text, const struct rows *rows, const union cell *row)
{
    for (size_t i = 0; i < rows->column_count; i++) {
        if (!rows->columns[i].title)
            continue;
        text_add_string(text, "| ");
        if (rows->columns[i].kind == COLUMN_TEXT)
            add_code(text, row[i].text);
        else
            render_cell(text, &rows->columns[i], row, i);
        text_add_byte(text, ' ');
    }
    text_add_string(text, "|\n");
}

static void add_sums(struct text *text, const struct rows *rows, size_t first, struct slice label)
{
    union cell sums[ROWS_COLUMNS_MAX];

    rows_sums(rows, first, sums);
    for (size_t i = 0; i < rows->column_count; i++) {
        if (!rows->columns[i].title)
            continue;
        text_add_string(text, "| ");
        if (i == rows_label_column(rows))
            text_format(text, "*%.*s*", SLICE_ARGUMENTS(label));
        else if (rows->columns[i].kind != COLUMN_TEXT)
            render_cell(text, &rows->columns[i], sums, i);
        text_add_byte(text, ' ');
    }
    text_add_string(text, "|\n");
}

void render_markdown(struct text *text, const struct rows *rows)
{
    size_t shown = rows_shown(rows);
    SCOPED(text_done) struct text left_out = {0};

    for (size_t i = 0; i < rows->column_count; i++)
        if (rows->columns[i].title)
            text_format(text, "| %s ", rows->columns[i].title);
    text_add_string(text, "|\n");
    for (size_t i = 0; i < rows->column_count; i++)
        if (rows->columns[i].title)
            text_add_string(text, rows->columns[i].kind == COLUMN_TEXT ? "|:---" : "|---:");
    text_add_string(text, "|\n");
    for (size_t row = 0; row < shown; row++)
        add_row(text, rows, rows_at(rows, row));
    if (shown < rows_count(rows)) {
        render_left_out(&left_out, rows);
        add_sums(text, rows, shown, text_slice(&left_out));
    }
    add_sums(text, rows, 0, slice_of(rows->total_label));
    for (size_t i = 0; i < rows->notes.count; i++)
        text_format(text, "\n%s\n", rows->notes.items[i]);
}
