#include "report/rows.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void rows_done(struct rows *rows)
{
    vec_done(&rows->cells);
    vec_done(&rows->looks);
    vec_done(&rows->notes);
    arena_done(&rows->arena);
    *rows = (struct rows){0};
}

void rows_add_column(struct rows *rows, struct column column)
{
    assert(rows->column_count < ROWS_COLUMNS_MAX && rows->cells.count == 0);
    rows->columns[rows->column_count++] = column;
}

union cell *rows_add(struct rows *rows)
{
    size_t first = rows->cells.count;

    for (size_t i = 0; i < rows->column_count; i++)
        *vec_add(&rows->cells) = (union cell){.text = {0}};
    return rows->cells.items + first;
}

void rows_set_look(struct rows *rows, enum row_look look)
{
    while (rows->looks.count < rows_count(rows))
        *vec_add(&rows->looks) = ROW_PLAIN;
    rows->looks.items[rows->looks.count - 1] = (uint8_t)look;
}

enum row_look rows_look(const struct rows *rows, size_t row)
{
    return row < rows->looks.count ? (enum row_look)rows->looks.items[row] : ROW_PLAIN;
}

void rows_add_fact(struct rows *rows, const char *key, uint64_t number)
{
    assert(rows->fact_count < ROWS_FACTS_MAX);
    rows->facts[rows->fact_count++] = (struct rows_fact){key, number, false};
}

void rows_add_change(struct rows *rows, const char *key, int64_t number)
{
    rows_add_fact(rows, key, (uint64_t)number);
    rows->facts[rows->fact_count - 1].is_change = true;
}

void rows_add_label(struct rows *rows, const char *key, struct slice text)
{
    assert(rows->label_count < ROWS_LABELS_MAX);
    rows->labels[rows->label_count++] = (struct rows_label){key, text};
}

bool rows_find_fact(const struct rows *rows, const char *key, uint64_t *number)
{
    for (size_t i = 0; i < rows->fact_count; i++)
        if (strcmp(rows->facts[i].key, key) == 0) {
            *number = rows->facts[i].number;
            return true;
        }
    return false;
}

size_t rows_count(const struct rows *rows)
{
    return rows->column_count ? rows->cells.count / rows->column_count : 0;
}

static void make_utf8(struct rows *rows, struct slice *bytes)
{
    SCOPED(text_done) struct text text = {0};

    if (text_is_utf8(*bytes))
        return;
    text_add_utf8(&text, *bytes);
    *bytes = arena_slice(&rows->arena, text_slice(&text));
}

void rows_make_utf8(struct rows *rows)
{
    for (size_t i = 0; i < rows->cells.count; i++)
        if (column_is_text(rows->columns[i % rows->column_count].kind))
            make_utf8(rows, &rows->cells.items[i].text);
}

size_t rows_shown(const struct rows *rows)
{
    size_t count = rows_count(rows);

    if (rows->is_brief && rows->minor_label && rows->minor_from < count)
        count = rows->minor_from;
    return rows->limit && rows->limit < count ? rows->limit : count;
}

const union cell *rows_at(const struct rows *rows, size_t row)
{
    return rows->cells.items + row * rows->column_count;
}

void rows_sums(const struct rows *rows, size_t first, union cell *out)
{
    for (size_t i = 0; i < rows->column_count; i++) {
        bool is_number = column_has_sum(rows->columns[i].kind);

        out[i] = (union cell){.text = {0}};
        if (rows->columns[i].kind == COLUMN_RUNNING && first < rows_count(rows))
            out[i].number = rows_at(rows, rows_count(rows) - 1)[i].number;
        for (size_t row = first; is_number && row < rows_count(rows); row++)
            out[i].number += rows_at(rows, row)[i].number;
        if (column_is_inclusive(rows->columns[i].kind))
            out[i].number = ROWS_NO_SUM;
    }
}

void rows_total(const struct rows *rows, union cell *out)
{
    if (rows->total)
        memcpy(out, rows->total, rows->column_count * sizeof(*out));
    else
        rows_sums(rows, 0, out);
}

uint64_t rows_level(const struct rows *rows, const union cell *row)
{
    uint64_t level = rows->level_column ? row[rows->level_column].number : 0;

    return level == ROWS_NO_SUM ? 0 : level;
}

size_t rows_label_column(const struct rows *rows)
{
    size_t last = 0;

    for (size_t i = 0; i < rows->column_count; i++)
        if (rows->columns[i].title)
            last = i;
    return last;
}

/* What qsort_r is told about the order wanted. */
struct order {
    const struct rows *rows;
    size_t column;
    size_t then;
};

/* Numbers from large to small, texts from small to large. */
static int compare_cells(const union cell *a, const union cell *b, enum column_kind kind)
{
    if (column_is_text(kind))
        return slice_compare(a->text, b->text);
    return a->number == b->number ? 0 : a->number < b->number ? 1 : -1;
}

static int compare_rows(const void *left, const void *right, void *context)
{
    const struct order *order = context;
    const union cell *a = left;
    const union cell *b = right;
    const struct column *columns = order->rows->columns;
    int result = compare_cells(&a[order->column], &b[order->column], columns[order->column].kind);

    if (result == 0)
        result = compare_cells(&a[order->then], &b[order->then], columns[order->then].kind);
    for (size_t i = 0; result == 0 && i < order->rows->column_count; i++)
        if (column_is_string(columns[i].kind))
            result = slice_compare(a[i].text, b[i].text);
    return result;
}

void rows_sort_by(struct rows *rows, size_t column, size_t then)
{
    struct order order = {rows, column, then};

    if (rows_count(rows) > 1)
        qsort_r(rows->cells.items, rows_count(rows), rows->column_count * sizeof(union cell), compare_rows,
                &order);
}

void rows_sort(struct rows *rows, size_t column)
{
    rows_sort_by(rows, column, column);
}
