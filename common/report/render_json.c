#include "report/render.h"
#include "json/json_out.h"

static void put_number(struct json_out *out, uint64_t number, bool is_change)
{
    if (is_change)
        json_put_i64(out, (int64_t)number);
    else
        json_put_u64(out, number);
}

static void put_decimal(struct json_out *out, struct slice text)
{
    if (text.data)
        json_put_number(out, text);
    else
        json_put_null(out);
}

static void put_cell(struct json_out *out, const struct column *column, uint64_t number)
{
    SCOPED(text_done) struct text digits = {0};

    column_add_number(&digits, column->kind, number);
    json_put_number(out, text_slice(&digits));
}

static void put_row(struct json_out *out, const struct rows *rows, const union cell *row)
{
    json_begin_object(out);
    for (size_t i = 0; i < rows->column_count; i++) {
        bool is_text = column_is_string(rows->columns[i].kind);

        if (!rows->columns[i].key || (is_text && !row[i].text.data))
            continue;
        json_put_key(out, rows->columns[i].key);
        if (is_text)
            json_put_string(out, row[i].text);
        else if (rows->columns[i].kind == COLUMN_DECIMAL)
            put_decimal(out, row[i].text);
        else
            put_cell(out, &rows->columns[i], row[i].number);
    }
    json_end_object(out);
}

/* Whether the rows left out have a number there that is told. */
static bool has_number(const struct column *column)
{
    return column_has_sum(column->kind) || column->kind == COLUMN_RUNNING;
}

static void put_omitted(struct json_out *out, const struct rows *rows)
{
    size_t shown = rows_shown(rows);
    union cell sums[ROWS_COLUMNS_MAX];

    if (shown == rows_count(rows))
        return;
    rows_sums(rows, shown, sums);
    json_put_key(out, "omitted");
    json_begin_object(out);
    json_put_key(out, "count");
    json_put_u64(out, rows_count(rows) - shown);
    for (size_t i = 0; i < rows->column_count; i++)
        if (rows->columns[i].key && has_number(&rows->columns[i])) {
            json_put_key(out, rows->columns[i].key);
            put_cell(out, &rows->columns[i], sums[i].number);
        }
    json_end_object(out);
}

static void put_list(struct json_out *out, const struct rows *rows)
{
    json_put_key(out, rows->list_key);
    json_begin_array(out);
    for (size_t row = 0; row < rows_shown(rows); row++)
        put_row(out, rows, rows_at(rows, row));
    json_end_array(out);
}

static void put_labels(struct json_out *out, const struct rows *rows)
{
    if (rows->label_count == 0)
        return;
    json_put_key(out, rows->labels_key);
    json_begin_object(out);
    for (size_t i = 0; i < rows->label_count; i++) {
        json_put_key(out, rows->labels[i].key);
        json_put_string(out, rows->labels[i].text);
    }
    json_end_object(out);
}

static void put_text(struct json_out *out, const char *key, const char *text)
{
    if (!text)
        return;
    json_put_key(out, key);
    json_put_string(out, slice_of(text));
}

static void put_warnings(struct json_out *out, const struct warnings *warnings)
{
    if (!warnings || warnings->items.count == 0)
        return;
    json_put_key(out, "warnings");
    json_begin_array(out);
    for (size_t i = 0; i < warnings->items.count; i++)
        json_put_string(out, slice_of(warnings->items.items[i]));
    json_end_array(out);
}

void render_json(struct text *text, const struct rows *rows)
{
    struct json_out out = json_out_of(text);

    json_begin_object(&out);
    for (size_t i = 0; i < rows->fact_count; i++) {
        json_put_key(&out, rows->facts[i].key);
        put_number(&out, rows->facts[i].number, rows->facts[i].is_change);
    }
    put_text(&out, "options", rows->asked);
    put_text(&out, "filter", rows->filter);
    put_labels(&out, rows);
    put_warnings(&out, rows->warnings);
    for (const struct rows *beside = rows->beside; beside; beside = beside->beside)
        put_list(&out, beside);
    put_list(&out, rows);
    put_omitted(&out, rows);
    json_end_object(&out);
    text_add_byte(text, '\n');
}
