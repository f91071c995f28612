#include "delta/delta_rows.h"

#include <string.h>

#include "base/compiler.h"
#include "base/units.h"
#include "report/cut.h"
#include "report/render.h"

static enum column_kind change_kind(enum column_kind kind)
{
    return kind == COLUMN_BYTES ? COLUMN_BYTES_CHANGE : COLUMN_COUNT_CHANGE;
}

/* The columns of one value; people see of the others only the difference. */
static size_t add_value_columns(struct rows *rows, const struct column *value, bool is_primary)
{
    struct arena *arena = &rows->arena;
    size_t first = rows->column_count;

    rows_add_column(rows, (struct column){value->kind, is_primary ? "Before" : NULL,
                                          arena_format(arena, "%s-before", value->key), 0, 0});
    rows_add_column(rows, (struct column){value->kind, is_primary ? "After" : NULL,
                                          arena_format(arena, "%s-after", value->key), 0, 0});
    rows_add_column(rows, (struct column){change_kind(value->kind), is_primary ? "Change" : value->title,
                                          arena_format(arena, "%s-difference", value->key), 0, 0});
    if (is_primary)
        rows_add_column(rows, (struct column){COLUMN_GROWTH, "%", NULL, first, 0});
    return first;
}

/* The first cells of each value; the status stands before what is inferred, if that is told, a mark, if one
 * is shown, and the texts. */
struct layout {
    size_t values[DELTA_VALUES_MAX];
    size_t status;
    size_t texts;
    const char *mark; /* NULL: no row has it */
};

/* How many of the things that changed, and did not move alone, are of crates that are inferred. */
static size_t count_inferred(const struct delta *delta)
{
    size_t count = 0;

    for (size_t i = 0; i < delta->items.count; i++) {
        const struct delta_entry *entry = &delta->items.items[i];

        count += delta_entry_is_changed(delta, entry) && !entry->is_moved &&
                 delta_is_inferred(entry->inferred, entry->values[delta->primary]);
    }
    return count;
}

static void add_inferred_columns(const struct delta *delta, struct rows *rows)
{
    static const char *const sides[] = {"before", "after"};

    for (size_t i = 0; delta->inferred_key && i < ARRAY_COUNT(sides); i++)
        rows_add_column(
            rows, (struct column){COLUMN_BYTES, NULL,
                                  arena_format(&rows->arena, "%s-%s", delta->inferred_key, sides[i]), 0, 0});
}

static struct layout add_columns(const struct delta *delta, const char *mark, struct rows *rows)
{
    struct layout layout = {0};

    if (delta->value_count > 0)
        layout.values[delta->primary] = add_value_columns(rows, &delta->values[delta->primary], true);
    for (size_t i = 0; i < delta->value_count; i++)
        if (i != delta->primary)
            layout.values[i] = add_value_columns(rows, &delta->values[i], false);
    layout.status = rows->column_count;
    rows_add_column(rows, (struct column){COLUMN_TEXT, NULL, "status", 0, 0});
    add_inferred_columns(delta, rows);
    layout.mark = count_inferred(delta) > 0 ? mark : NULL;
    if (layout.mark)
        rows_add_column(rows, (struct column){COLUMN_TEXT, "", NULL, 0, 0});
    layout.texts = rows->column_count;
    for (size_t i = 0; i < delta->text_count; i++)
        rows_add_column(rows, delta->texts[i]);
    return layout;
}

static void set_value(union cell *row, size_t first, struct delta_value value)
{
    row[first].number = value.before;
    row[first + 1].number = value.after;
    /* Two's complement: the difference as an int64_t. */
    row[first + 2].number = value.after - value.before;
}

static void set_inferred(const struct delta *delta, const struct layout *layout,
                         const struct delta_entry *entry, union cell *row)
{
    if (!delta->inferred_key)
        return;
    row[layout->status + 1].number = entry->inferred.before;
    row[layout->status + 2].number = entry->inferred.after;
    if (layout->mark && delta_is_inferred(entry->inferred, entry->values[delta->primary]))
        row[layout->texts - 1].text = slice_of(layout->mark);
}

static struct slice status_of(const struct delta_entry *entry)
{
    if (entry->is_moved)
        return SLICE("moved");
    if (!entry->was_there)
        return SLICE("new");
    return entry->is_there ? SLICE("changed") : SLICE("gone");
}

static void add_row(const struct delta *delta, const struct layout *layout, const struct delta_entry *entry,
                    struct rows *rows)
{
    union cell *row = rows_add(rows);

    for (size_t i = 0; i < delta->value_count; i++)
        set_value(row, layout->values[i], entry->values[i]);
    row[layout->status].text = status_of(entry);
    set_inferred(delta, layout, entry, row);
    for (size_t i = 0; i < delta->text_count; i++)
        row[layout->texts + i].text = entry->texts[i];
}

/* Those that moved come last. */
static void add_rows(const struct delta *delta, const struct layout *layout, struct rows *out)
{
    for (size_t i = 0; i < delta->items.count; i++) {
        const struct delta_entry *entry = &delta->items.items[i];

        if (entry->is_moved && !out->minor_label) {
            out->minor_label = "moved between crates";
            out->minor_from = rows_count(out);
        }
        if (delta_entry_is_changed(delta, entry))
            add_row(delta, layout, entry, out);
    }
}

static void set_total(const struct delta *delta, const struct layout *layout, struct rows *rows)
{
    union cell *total = ARENA_ARRAY(&rows->arena, rows->column_count, union cell);

    for (size_t i = 0; i < delta->value_count; i++)
        set_value(total, layout->values[i], delta_total(delta, i));
    for (size_t i = 0; delta->inferred_key && i < delta->items.count; i++) {
        total[layout->status + 1].number += delta->items.items[i].inferred.before;
        total[layout->status + 2].number += delta->items.items[i].inferred.after;
    }
    rows->total = total;
}

/* The facts of both sides that have one, and what the compared values add up to. */
static void add_facts(const struct delta *delta, const struct rows *before, const struct rows *after,
                      struct rows *out)
{
    for (size_t i = 0; i < after->fact_count && out->fact_count + 2 <= ROWS_FACTS_MAX; i++) {
        uint64_t number = 0;

        if (!rows_find_fact(before, after->facts[i].key, &number))
            continue;
        rows_add_fact(out, arena_format(&out->arena, "%s-before", after->facts[i].key), number);
        rows_add_fact(out, arena_format(&out->arena, "%s-after", after->facts[i].key),
                      after->facts[i].number);
    }
    for (size_t i = 0; i < delta->value_count && out->fact_count < ROWS_FACTS_MAX; i++) {
        struct delta_value total = delta_total(delta, i);

        rows_add_change(out, arena_format(&out->arena, "%s-difference", delta->values[i].key),
                        (int64_t)(total.after - total.before));
    }
}

/* --- Words ----------------------------------------------------------------------------- */

static void add_figure(struct text *text, const struct delta *delta, uint64_t number)
{
    union cell cell = {.number = number};

    render_cell(text, &delta->values[delta->primary], &cell, 0);
}

void delta_add_figure(struct text *text, const struct delta *delta, const struct delta_words *words,
                      uint64_t number)
{
    add_figure(text, delta, number);
    if (words->unit)
        text_format(text, " %s", words->unit);
}

/* ", from 695.8KiB to 703.4KiB"; of figures that read the same one: ", at 695.8KiB". */
static void add_from_and_to(struct text *text, const struct delta *delta, struct delta_value total)
{
    SCOPED(text_done) struct text before = {0};
    SCOPED(text_done) struct text after = {0};

    add_figure(&before, delta, total.before);
    add_figure(&after, delta, total.after);
    if (slice_equal(text_slice(&before), text_slice(&after)))
        text_format(text, ", at %.*s", SLICE_ARGUMENTS(text_slice(&after)));
    else
        text_format(text, ", from %.*s to %.*s", SLICE_ARGUMENTS(text_slice(&before)),
                    SLICE_ARGUMENTS(text_slice(&after)));
}

/* "`.text` grew by 7.6KiB (+1.1%), from 695.8KiB to 703.4KiB". */
static void add_total_sentence(struct text *text, const struct delta *delta, const struct delta_words *words)
{
    struct delta_value total = delta_total(delta, delta->primary);
    bool is_growth = total.after > total.before;

    /* A section's name is code, all else are words. */
    if (words->subject[0] == '.')
        render_code(text, slice_of(words->subject));
    else
        text_add_string(text, words->subject);
    if (total.before == total.after) {
        text_add_string(text, " stayed at ");
        delta_add_figure(text, delta, words, total.after);
        return;
    }
    text_format(text, " %s by ", is_growth ? "grew" : "shrank");
    delta_add_figure(text, delta, words, is_growth ? total.after - total.before : total.before - total.after);
    if (total.before > 0) {
        text_add_string(text, " (");
        units_add_growth(text, total.before, total.after);
        text_add_byte(text, ')');
    }
    add_from_and_to(text, delta, total);
}

/* "; the file grew by 4.0KiB to 1.2MiB". */
static void add_fact_sentence(struct text *text, const struct delta_words *words, const struct rows *before,
                              const struct rows *after)
{
    uint64_t was = 0;
    uint64_t is = 0;

    if (!words->fact || !rows_find_fact(before, words->fact, &was) ||
        !rows_find_fact(after, words->fact, &is))
        return;
    text_format(text, "; %s ", words->fact_subject);
    if (was == is) {
        text_add_string(text, "stayed at ");
    } else {
        text_add_string(text, is > was ? "grew by " : "shrank by ");
        units_add_bytes(text, is > was ? is - was : was - is);
        text_add_string(text, " to ");
    }
    units_add_bytes(text, is);
}

/* What the user has named: cut, so that the sentence has an end. */
static void add_code(struct text *text, const char *words)
{
    enum { COLUMNS_MAX = 200 };
    SCOPED(text_done) struct text shortened = {0};

    cut_add(&shortened, slice_of(words), COLUMNS_MAX);
    render_code(text, text_slice(&shortened));
}

static void set_headline(const struct delta *delta, const struct delta_words *words,
                         const struct rows *before, const struct rows *after, struct rows *out)
{
    SCOPED(text_done) struct text text = {0};

    text_add_string(&text, "**");
    add_total_sentence(&text, delta, words);
    add_fact_sentence(&text, words, before, after);
    text_add_string(&text, ".** Compared: ");
    add_code(&text, words->base);
    text_add_string(&text, " with ");
    add_code(&text, words->head);
    text_add_byte(&text, '.');
    out->headline = arena_copy(&out->arena, text_slice(&text));
}

void delta_rows_tell_none(struct rows *head, const char *called, const char *why)
{
    SCOPED(text_done) struct text text = {0};

    text_add_string(&text, "**No comparison: ");
    add_code(&text, why);
    text_add_string(&text, ".** Shown is ");
    add_code(&text, called);
    text_add_string(&text, " alone.");
    head->headline = arena_copy(&head->arena, text_slice(&text));
    head->adds_up_rest = true;
}

static const char *make_note(const struct delta_words *words, bool has_mark, size_t count, struct rows *out)
{
    SCOPED(text_done) struct text text = {0};

    if (has_mark) {
        text_format(&text, "%s: more than half of the row, of one side at least, is", words->mark);
    } else {
        text_add_string(&text, "The crates of ");
        units_add_count(&text, count);
        text_format(&text, " %s%s are", out->noun, count == 1 ? "" : "s");
    }
    text_add_string(&text, " inferred from names alone, so that what changed may be another crate's");
    if (words->inferred_hint)
        text_format(&text, ": %s", words->inferred_hint);
    text_add_byte(&text, '.');
    return arena_copy(&out->arena, text_slice(&text));
}

/* How much of what changed is not certain. */
static void add_note(const struct delta *delta, const struct delta_words *words, const struct layout *layout,
                     struct rows *out)
{
    size_t count = count_inferred(delta);

    if (count == 0)
        return;
    out->tells_notes = true;
    if (!layout->mark) {
        *vec_add(&out->notes) = make_note(words, false, count, out);
        return;
    }
    out->mark_column = layout->texts - 1;
    for (size_t i = 0; i < ARRAY_COUNT(out->mark_notes); i++)
        out->mark_notes[i] = make_note(words, i > 0, count, out);
}

static void set_total_label(const struct delta_words *words, struct rows *out)
{
    out->total_label = arena_format(&out->arena, "%s, %s against %s%s", words->subject, words->head,
                                    words->base, rows_count(out) == 0 ? ": nothing changed" : "");
}

void delta_rows_fill(const struct delta *delta, const struct delta_words *words, const struct rows *before,
                     const struct rows *after, struct rows *out)
{
    struct layout layout = add_columns(delta, words->mark, out);

    out->list_key = delta->list_key;
    out->noun = arena_format(&out->arena, "changed %s", delta->noun);
    out->apart = delta->apart;
    add_rows(delta, &layout, out);
    set_total(delta, &layout, out);
    add_facts(delta, before, after, out);
    set_total_label(words, out);
    set_headline(delta, words, before, after, out);
    add_note(delta, words, &layout, out);
    out->labels_key = "diff";
    rows_add_label(out, "base", slice_of(words->base));
    rows_add_label(out, "head", slice_of(words->head));
}
