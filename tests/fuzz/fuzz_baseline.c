/* Saved results: whatever they hold, they are refused or compared, and the sums are kept. */
#include <stdlib.h>

#include "compare/baseline.h"
#include "delta/delta_rows.h"
#include "report/render.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void add_columns(struct rows *rows)
{
    union cell *row = NULL;

    rows->list_key = "functions";
    rows->noun = "function";
    rows->labels_key = "build";
    rows_add_fact(rows, "file-size", 100);
    rows_add_label(rows, "profile", SLICE("dev"));
    rows_add_column(rows, (struct column){COLUMN_BYTES, "Size", "size", 0, 0});
    rows_add_column(rows, (struct column){COLUMN_COUNT, NULL, "copies", 0, 0});
    rows_add_column(rows, (struct column){COLUMN_TEXT, "Crate", "crate", 0, 0});
    rows_add_column(rows, (struct column){COLUMN_TEXT, "Name", "name", 0, 0});
    row = rows_add(rows);
    row[0].number = 10;
    row[2].text = SLICE("a");
    row[3].text = SLICE("a::{closure#1}");
}

static void compare(const struct rows *before, const struct rows *after)
{
    static const struct delta_words words = {.subject = ".text",
                                             .fact = "file-size",
                                             .fact_subject = "the file",
                                             .base = "old.json",
                                             .head = "new"};
    struct delta delta = {0};
    struct rows rows = {0};
    struct text text = {0};
    union cell sums[ROWS_COLUMNS_MAX];
    union cell difference[ROWS_COLUMNS_MAX];

    delta_compute(before, after, NULL, &delta);
    delta_rows_fill(&delta, &words, before, after, &rows);
    rows_sums(before, 0, sums);
    rows_sums(&rows, 0, difference);
    if (rows.total[0].number != sums[0].number || rows.total[2].number != difference[2].number)
        abort();
    rows.limit = 2;
    render_markdown(&text, &rows);
    if (text.length > 65536)
        abort();
    render_json(&text, &rows);
    text_done(&text);
    rows_done(&rows);
    delta_done(&delta);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct json_document document = {0};
    struct rows like = {0};
    struct rows read = {0};
    struct error err = {0};

    add_columns(&like);
    if (json_parse((struct slice){(const char *)data, size}, 1 << 20, &document, &err) == 0 &&
        baseline_check(&document, "old.json", &err) == 0 &&
        baseline_read(&document, "old.json", &like, &read, &err) == 0) {
        compare(&read, &like);
        compare(&like, &read);
    }
    rows_done(&read);
    rows_done(&like);
    json_document_done(&document);
    return 0;
}
