#include "report/render.h"
#include "json/json_out.h"

static void put_row(struct json_out *out, const struct rows *rows, const union cell *row)
{
    json_begin_object(out);
    for (size_t i = 0; i < rows->column_count; i++) {
        bool is_text = rows->columns[i].kind == COLUMN_TEXT;

        if (!rows->columns[i].key || (is_text && !row[i].text.data))
            continue;
        json_put_key(out, rows->columns[i].key);
        if (is_text)
            json_put_string(out, row[i].text);
        else
            json_put_u64(out, row[i].number);
    }
    json_end_object(out);
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
        if (rows->columns[i].key && rows->columns[i].kind != COLUMN_TEXT && sums[i].number != ROWS_NO_SUM) {
            json_put_key(out, rows->columns[i].key);
            json_put_u64(out, sums[i].number);
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

void render_json(struct text *text, const struct rows *rows)
{
    struct json_out out = json_out_of(text);

    json_begin_object(&out);
    for (size_t i = 0; i < rows->fact_count; i++) {
        json_put_key(&out, rows->facts[i].key);
        json_put_u64(&out, rows->facts[i].number);
    }
    if (rows->beside)
        put_list(&out, rows->beside);
    put_list(&out, rows);
    put_omitted(&out, rows);
    json_end_object(&out);
    text_add_byte(text, '\n');
}
