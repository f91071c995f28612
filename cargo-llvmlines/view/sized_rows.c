#include "view/sized_rows.h"

#include "base/file.h"
#include "base/units.h"
#include "view/tables.h"

static void add_columns(const struct measurement *measurement, const char *name, struct rows *rows)
{
    const struct groups *groups = &measurement->groups;
    uint64_t text = measurement->sizes.total_bytes;
    bool has_inlining = tables_have_inlining(groups);

    rows_add_column(
        rows, (struct column){COLUMN_COUNT, groups_lines_title(groups), groups_lines_key(groups), 0, 0});
    rows_add_column(rows, (struct column){COLUMN_SHARE, "%", NULL, SIZED_LINES, groups->lines});
    rows_add_column(rows, (struct column){COLUMN_COUNT, "Copies", "copies", 0, 0});
    rows_add_column(rows, (struct column){COLUMN_COUNT, "Left", "left", 0, 0});
    rows_add_column(rows, (struct column){COLUMN_BYTES, "Size", "size", 0, 0});
    rows_add_column(rows, (struct column){COLUMN_SHARE, ".text", NULL, SIZED_BYTES, text});
    /* For people without a key: rows are told apart, when compared, by all texts that have both. */
    rows_add_column(rows, (struct column){COLUMN_TEXT, has_inlining ? "Inline" : NULL, NULL, 0, 0});
    rows_add_column(rows, (struct column){COLUMN_TEXT, name, "name", 0, 0});
    rows_add_column(rows, (struct column){COLUMN_BYTES, NULL, "inferred-size", 0, 0});
    rows_add_column(rows, (struct column){COLUMN_BYTES, NULL, "elsewhere-size", 0, 0});
    rows_add_column(rows, (struct column){COLUMN_TEXT, NULL, has_inlining ? "inline" : NULL, 0, 0});
    tables_add_version_column(measurement, rows);
}

static void add_row(struct rows *rows, const struct entry *entry)
{
    union cell *row = rows_add(rows);

    row[SIZED_LINES].number = entry->group.lines;
    row[SIZED_COPIES].number = entry->group.copies;
    row[SIZED_LEFT].number = entry->size.left;
    row[SIZED_BYTES].number = entry->size.size_bytes;
    row[SIZED_NAME].text = entry->label;
    row[SIZED_INFERRED].number = entry->size.inferred_bytes;
    row[SIZED_ELSEWHERE].number = entry->size.elsewhere_bytes;
    row[SIZED_INLINING].text = row[SIZED_INLINING_SHOWN].text = groups_inlining(entry->group.inlinings);
}

static void set_total(const struct measurement *measurement, union cell *total)
{
    const struct group_sizes *sizes = &measurement->sizes;

    total[SIZED_LINES].number = measurement->groups.lines;
    total[SIZED_COPIES].number = measurement->groups.copies;
    total[SIZED_BYTES].number = sizes->size_bytes;
    total[SIZED_INFERRED].number = sizes->inferred_bytes;
    total[SIZED_ELSEWHERE].number = sizes->elsewhere_bytes;
    for (size_t i = 0; i < sizes->items.count; i++)
        total[SIZED_LEFT].number += sizes->items.items[i].left;
}

static void add_facts(const struct measurement *measurement, struct rows *rows)
{
    const struct group_sizes *sizes = &measurement->sizes;

    rows_add_fact(rows, groups_lines_key(&measurement->groups), measurement->groups.lines);
    rows_add_fact(rows, "copies", measurement->groups.copies);
    rows_add_fact(rows, "text-section-size", sizes->total_bytes);
    rows_add_fact(rows, "size", sizes->size_bytes);
    rows_add_fact(rows, "inferred-size", sizes->inferred_bytes);
    rows_add_fact(rows, "elsewhere-size", sizes->elsewhere_bytes);
    rows_add_fact(rows, "ambiguous-size", sizes->ambiguous_bytes);
    rows_add_fact(rows, "other-size", sizes->other_bytes);
    rows_add_fact(rows, "gap-size", sizes->gap_bytes);
}

/* One of the parts of the rest, when there is any. */
static void add_part(struct text *note, uint64_t size_bytes, const char *what)
{
    if (size_bytes == 0)
        return;
    text_add_string(note, slice_ends_with(text_slice(note), SLICE(":")) ? " " : ", ");
    units_add_bytes(note, size_bytes);
    text_format(note, " %s", what);
}

static void add_note(struct rows *rows, const struct text *note)
{
    *vec_add(&rows->notes) = arena_copy(&rows->arena, text_slice(note));
}

static void add_notes(const struct measurement *measurement, struct rows *rows)
{
    const struct group_sizes *sizes = &measurement->sizes;
    bool is_all =
        sizes->elsewhere_bytes + sizes->ambiguous_bytes + sizes->other_bytes + sizes->gap_bytes == 0;
    SCOPED(text_done) struct text note = {0};

    text_add_string(&note, is_all ? "All of " : "Of ");
    units_add_bytes(&note, sizes->total_bytes);
    text_add_string(&note, " of .text in ");
    if (measurement->sized.count == 1)
        text_add_string(&note, file_from_here(measurement->sized.items[0]));
    else
        text_format(&note, "%zu libraries", measurement->sized.count);
    text_add_string(&note, is_all ? " is in groups" : " no group has:");
    add_part(&note, sizes->elsewhere_bytes, "copies that crates hold which are not counted here");
    add_part(&note, sizes->ambiguous_bytes, "that may be of one group or another");
    add_part(&note, sizes->other_bytes, "other functions");
    add_part(&note, sizes->gap_bytes, "padding and code without a name");
    text_add_byte(&note, '.');
    add_note(rows, &note);
    if (sizes->inferred_bytes == 0)
        return;
    text_clear(&note);
    units_add_bytes(&note, sizes->inferred_bytes);
    text_add_string(&note,
                    " are inferred: their names, which are legacy ones or of another build, tell the path "
                    "alone.");
    add_note(rows, &note);
}

void sized_rows_fill(const struct measurement *measurement, const struct entries *entries, const char *name,
                     struct rows *rows, union cell *total)
{
    add_columns(measurement, name, rows);
    for (size_t i = 0; i < entries->items.count; i++)
        add_row(rows, &entries->items.items[i]);
    set_total(measurement, total);
    add_facts(measurement, rows);
    add_notes(measurement, rows);
}
