#include "compare/delta.h"

#include <stdlib.h>
#include <string.h>

#include "base/intern.h"
#include "base/text.h"
#include "compare/same_name.h"

void delta_done(struct delta *delta)
{
    vec_done(&delta->items);
    arena_done(&delta->arena);
    *delta = (struct delta){0};
}

/* --- Columns --------------------------------------------------------------------------- */

static bool is_name(const struct column *column)
{
    return column->kind == COLUMN_TEXT && column->title && column->key;
}

static bool is_value(const struct column *column)
{
    return column_has_sum(column->kind) && column->title && column->key;
}

static void find_columns(const struct rows *rows, struct delta *out)
{
    for (size_t i = 0; i < rows->column_count; i++) {
        const struct column *column = &rows->columns[i];

        if (is_name(column) && out->text_count < DELTA_TEXTS_MAX)
            out->texts[out->text_count++] = *column;
        else if (is_value(column) && out->value_count < DELTA_VALUES_MAX)
            out->values[out->value_count++] = *column;
    }
}

static size_t find_primary(const struct delta *delta, const char *key)
{
    for (size_t i = 0; key && i < delta->value_count; i++)
        if (strcmp(delta->values[i].key, key) == 0)
            return i;
    for (size_t i = 0; i < delta->value_count; i++)
        if (delta->values[i].kind == COLUMN_BYTES)
            return i;
    return 0;
}

/* The index of the column with this key; column_count when there is none. */
static size_t find_column(const struct rows *rows, const char *key)
{
    size_t i = 0;

    while (i < rows->column_count && !(rows->columns[i].key && strcmp(rows->columns[i].key, key) == 0))
        i++;
    return i;
}

/* --- One row --------------------------------------------------------------------------- */

/* A row of either side, with its names as ids: as they are, and without what does not last. */
struct item {
    const union cell *row;
    const struct rows *rows;
    uint32_t name;
    uint32_t common_name;
    bool is_after;
};

/* Zero-initialised is empty. */
struct items {
    struct intern names;
    VEC(struct item) list;
};

static void items_done(struct items *items)
{
    intern_done(&items->names);
    vec_done(&items->list);
}

static struct slice text_of(const struct delta *delta, const struct item *item, size_t text)
{
    size_t column = find_column(item->rows, delta->texts[text].key);

    return column < item->rows->column_count ? item->row[column].text : (struct slice){0};
}

/* The id of all names of a row together. */
static uint32_t add_names(const struct delta *delta, const struct item *item, bool is_common,
                          struct intern *names)
{
    SCOPED(text_done) struct text key = {0};

    for (size_t i = 0; i < delta->text_count; i++) {
        if (is_common)
            same_name_add(&key, text_of(delta, item, i));
        else
            text_add(&key, text_of(delta, item, i));
        text_add_byte(&key, '\0');
    }
    return intern_add(names, text_slice(&key));
}

static void add_items(const struct delta *delta, const struct rows *rows, bool is_after, struct items *out)
{
    for (size_t i = 0; i < rows_count(rows); i++) {
        struct item item = {.row = rows_at(rows, i), .rows = rows, .is_after = is_after};

        item.name = add_names(delta, &item, false, &out->names);
        item.common_name = add_names(delta, &item, true, &out->names);
        *vec_add(&out->list) = item;
    }
}

static int compare_ids(uint32_t a, uint32_t b)
{
    return (a > b) - (a < b);
}

static int compare_items(const void *left, const void *right)
{
    const struct item *a = left;
    const struct item *b = right;
    int order = compare_ids(a->common_name, b->common_name);

    order = order ? order : compare_ids(a->name, b->name);
    return order ? order : (int)a->is_after - (int)b->is_after;
}

/* --- Entries --------------------------------------------------------------------------- */

static struct slice copied(struct arena *arena, struct slice text)
{
    return text.data ? (struct slice){arena_copy(arena, text), text.length} : text;
}

static void add_values(const struct delta *delta, const struct item *item, struct delta_entry *entry)
{
    for (size_t i = 0; i < delta->value_count; i++) {
        size_t column = find_column(item->rows, delta->values[i].key);
        uint64_t number = column < item->rows->column_count ? item->row[column].number : 0;

        *(item->is_after ? &entry->values[i].after : &entry->values[i].before) += number;
    }
    entry->was_there |= !item->is_after;
    entry->is_there |= item->is_after;
}

/* One entry of all the items. Names are shown in full where they are all the same. */
static void add_entry(struct delta *delta, const struct item *items, size_t count)
{
    struct delta_entry entry = {0};
    bool is_one_name = items[0].name == items[count - 1].name;

    for (size_t i = 0; i < count; i++)
        add_values(delta, &items[i], &entry);
    for (size_t i = 0; i < delta->text_count; i++) {
        SCOPED(text_done) struct text name = {0};
        struct slice full = text_of(delta, &items[0], i);

        same_name_add(&name, full);
        entry.texts[i] = copied(&delta->arena, is_one_name || !full.data ? full : text_slice(&name));
    }
    *vec_add(&delta->items) = entry;
}

static size_t name_end(const struct item *items, size_t start, size_t end)
{
    size_t at = start;

    while (at < end && items[at].name == items[start].name)
        at++;
    return at;
}

/* Whether each name among the items is on both sides. */
static bool names_are_on_both_sides(const struct item *items, size_t count)
{
    for (size_t start = 0; start < count;) {
        size_t end = name_end(items, start, count);

        /* Sorted: what was before comes first. */
        if (items[start].is_after || !items[end - 1].is_after)
            return false;
        start = end;
    }
    return true;
}

/* Adds the entries of items whose names are the same without what does not last. */
static void add_entries(struct delta *delta, const struct item *items, size_t count)
{
    if (!names_are_on_both_sides(items, count)) {
        add_entry(delta, items, count);
        return;
    }
    for (size_t start = 0; start < count;) {
        size_t end = name_end(items, start, count);

        add_entry(delta, items + start, end - start);
        start = end;
    }
}

static void match(struct delta *delta, struct items *items)
{
    vec_sort(&items->list, compare_items);
    for (size_t start = 0; start < items->list.count;) {
        size_t end = start;

        while (end < items->list.count &&
               items->list.items[end].common_name == items->list.items[start].common_name)
            end++;
        add_entries(delta, items->list.items + start, end - start);
        start = end;
    }
}

/* --- Order ----------------------------------------------------------------------------- */

static uint64_t distance(struct delta_value value)
{
    return value.after > value.before ? value.after - value.before : value.before - value.after;
}

static int compare_entries(const void *left, const void *right, void *context)
{
    const struct delta_entry *a = left;
    const struct delta_entry *b = right;
    const struct delta *delta = context;

    for (size_t i = 0; i < delta->value_count; i++) {
        size_t value = i == 0 ? delta->primary : i <= delta->primary ? i - 1 : i;
        uint64_t x = distance(a->values[value]);
        uint64_t y = distance(b->values[value]);

        if (x != y)
            return x < y ? 1 : -1;
    }
    for (size_t i = 0; i < delta->text_count; i++) {
        int order = slice_compare(a->texts[i], b->texts[i]);

        if (order)
            return order;
    }
    return 0;
}

void delta_compute(const struct rows *before, const struct rows *after, const char *primary_key,
                   struct delta *out)
{
    SCOPED(items_done) struct items items = {0};

    find_columns(after, out);
    out->primary = find_primary(out, primary_key);
    out->list_key = after->list_key;
    out->noun = after->noun;
    add_items(out, before, false, &items);
    add_items(out, after, true, &items);
    match(out, &items);
    if (out->items.count > 1)
        qsort_r(out->items.items, out->items.count, sizeof(*out->items.items), compare_entries, out);
}

struct delta_value delta_total(const struct delta *delta, size_t value)
{
    struct delta_value total = {0};

    for (size_t i = 0; i < delta->items.count; i++) {
        total.before += delta->items.items[i].values[value].before;
        total.after += delta->items.items[i].values[value].after;
    }
    return total;
}

bool delta_entry_is_changed(const struct delta *delta, const struct delta_entry *entry)
{
    for (size_t i = 0; i < delta->value_count; i++)
        if (entry->values[i].before != entry->values[i].after)
            return true;
    return entry->was_there != entry->is_there;
}

size_t delta_find_text(const struct delta *delta, const char *key)
{
    size_t i = 0;

    while (i < delta->text_count && strcmp(delta->texts[i].key, key) != 0)
        i++;
    return i;
}
