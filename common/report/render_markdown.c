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

static void add_sums(struct text *text, const struct rows *rows, const union cell *sums, struct slice label)
{
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

static void add_total(struct text *text, const struct rows *rows)
{
    union cell sums[ROWS_COLUMNS_MAX];

    rows_total(rows, sums);
    add_sums(text, rows, sums, slice_of(rows->total_label));
}

static void add_left_out(struct text *text, const struct rows *rows)
{
    union cell sums[ROWS_COLUMNS_MAX];
    SCOPED(text_done) struct text label = {0};

    rows_sums(rows, rows_shown(rows), sums);
    render_left_out(&label, rows);
    add_sums(text, rows, sums, text_slice(&label));
}

static void add_table(struct text *text, const struct rows *rows)
{
    size_t shown = rows_shown(rows);

    for (size_t i = 0; i < rows->column_count; i++)
        if (rows->columns[i].title)
            text_format(text, "| %s ", rows->columns[i].title);
    text_add_string(text, "|\n");
    for (size_t i = 0; i < rows->column_count; i++)
        if (rows->columns[i].title)
            text_add_string(text, rows->columns[i].kind == COLUMN_TEXT ? "|:---" : "|---:");
    text_add_string(text, "|\n");
    if (rows->total_first)
        add_total(text, rows);
    for (size_t row = 0; row < shown; row++)
        add_row(text, rows, rows_at(rows, row));
    if (shown < rows_count(rows))
        add_left_out(text, rows);
    if (!rows->total_first && rows->total_label)
        add_total(text, rows);
    for (size_t i = 0; i < rows->notes.count; i++)
        text_format(text, "\n%s\n", rows->notes.items[i]);
}

void render_markdown(struct text *text, const struct rows *rows)
{
    add_table(text, rows);
    for (rows = rows->beside; rows && rows_count(rows) > 1; rows = rows->beside) {
        text_add_byte(text, '\n');
        add_table(text, rows);
    }
}
