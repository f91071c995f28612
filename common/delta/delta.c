#include "delta/delta.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "delta/crate_versions.h"
#include "delta/pairing.h"

void delta_done(struct delta *delta)
{
    vec_done(&delta->items);
    arena_done(&delta->arena);
    *delta = (struct delta){0};
}

/* --- Columns --------------------------------------------------------------------------- */

static bool is_shown_text(const struct column *column)
{
    return column_is_string(column->kind) && column->title && column->key;
}

/* Words of ours tell of a thing; they do not name it. */
static bool is_name(const struct column *column)
{
    return column->kind == COLUMN_TEXT;
}

static bool is_value(const struct column *column)
{
    return column_has_sum(column->kind) && (column->title || column->of_column) && column->key;
}

static void find_columns(const struct rows *rows, struct delta *out)
{
    for (size_t i = 0; i < rows->column_count; i++) {
        const struct column *column = &rows->columns[i];

        if (is_shown_text(column) && out->text_count < DELTA_TEXTS_MAX)
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

/* --- Entries --------------------------------------------------------------------------- */

static struct slice text_of(const struct delta *delta, const struct rows *rows, size_t row, size_t text)
{
    size_t column = find_column(rows, delta->texts[text].key);

    return column < rows->column_count ? rows_at(rows, row)[column].text : (struct slice){0};
}

/* Two results, and what of their rows is the same. */
struct matching {
    struct delta *delta;
    const struct rows *sides[2]; /* before, after */
    struct crate_versions versions;
    struct pairing pairing;
};

static void matching_done(struct matching *matching)
{
    crate_versions_done(&matching->versions);
    pairing_done(&matching->pairing);
}

/* The text that begins with the crate that a row is of; text_count when there is none. */
static size_t crate_text(const struct delta *delta)
{
    size_t crate = delta_find_text(delta, "crate");

    return crate < delta->text_count ? crate : delta_find_text(delta, "name");
}

/* The version of a row's crate, which may be known where it is not shown; empty when it is not known. */
static struct slice version_of(const struct rows *rows, size_t row, const struct named_crate *crate)
{
    static const char *const keys[] = {"crate-version", "version"};

    for (size_t i = 0; i < ARRAY_COUNT(keys) && crate->version.length == 0; i++) {
        size_t column = find_column(rows, keys[i]);

        if (column < rows->column_count && rows->columns[column].kind == COLUMN_TEXT)
            return rows_at(rows, row)[column].text;
    }
    return crate->version;
}

static void add_versions(struct matching *matching, bool is_after)
{
    const struct rows *rows = matching->sides[is_after];
    size_t text = crate_text(matching->delta);

    for (size_t row = 0; row < rows_count(rows) && text < matching->delta->text_count; row++) {
        struct slice label = text_of(matching->delta, rows, row, text);
        struct named_crate crate = named_crate_of(label);

        if (crate.name.length > 0)
            crate_versions_add(&matching->versions, crate.name, version_of(rows, row, &crate), label,
                               is_after);
    }
}

/* Of the crate that a text begins with, when there are several versions to be told apart; else NULL. */
static const struct crate_version *find_version(const struct matching *matching, bool is_after, size_t row,
                                                const struct named_crate *crate)
{
    const struct rows *rows = matching->sides[is_after];

    return crate_versions_find(&matching->versions, crate->name, version_of(rows, row, crate), is_after);
}

/* Where a crate has several versions, it is named without them, and by the pairs that they belong to. */
static void add_names(struct matching *matching, bool is_after)
{
    const struct delta *delta = matching->delta;
    const struct rows *rows = matching->sides[is_after];
    size_t crate_at = crate_text(delta);
    SCOPED(text_done) struct text name = {0};
    SCOPED(text_done) struct text pairs = {0};

    for (size_t row = 0; row < rows_count(rows); row++) {
        struct slice texts[DELTA_TEXTS_MAX + 1] = {0};

        text_clear(&name);
        text_clear(&pairs);
        for (size_t i = 0; i < delta->text_count; i++)
            if (is_name(&delta->texts[i]))
                texts[i] = text_of(delta, rows, row, i);
        if (crate_at < delta->text_count) {
            struct named_crate crate = named_crate_of(texts[crate_at]);

            crate_versions_add_name(&matching->versions, texts[crate_at], version_of(rows, row, &crate),
                                    is_after, &name, &pairs);
            texts[crate_at] = text_slice(&name);
        }
        texts[delta->text_count] = text_slice(&pairs);
        pairing_add(&matching->pairing, texts, delta->text_count + 1, is_after);
    }
}

static struct slice copied(struct arena *arena, struct slice text)
{
    return text.data ? arena_slice(arena, text) : text;
}

/* What is shown of a row as text `i`: of a crate, what it is called after, so that its rows add up to one. */
static struct slice shown_text(const struct matching *matching, bool is_after, size_t row, size_t i)
{
    struct slice text = text_of(matching->delta, matching->sides[is_after], row, i);
    struct named_crate crate = named_crate_of(text);
    const struct crate_version *version = NULL;

    if (is_after || i != crate_text(matching->delta) || crate.rest.length > 0)
        return text;
    version = find_version(matching, is_after, row, &crate);
    version = version ? crate_versions_other(&matching->versions, version) : NULL;
    return version ? version->label : text;
}

/* Names are shown in full where they are all the same. */
static void set_names(const struct matching *matching, bool is_after, size_t row, uint32_t group,
                      struct delta_entry *entry)
{
    struct delta *delta = matching->delta;

    for (size_t i = 0; i < delta->text_count; i++) {
        SCOPED(text_done) struct text name = {0};
        struct slice full = shown_text(matching, is_after, row, i);

        if (!is_name(&delta->texts[i])) {
            entry->texts[i] = copied(&delta->arena, full);
            continue;
        }
        pairing_add_name(&matching->pairing, group, full, &name);
        entry->texts[i] = copied(&delta->arena, full.data ? text_slice(&name) : full);
    }
}

static bool has_word(struct slice words, struct slice word)
{
    while (words.length > 0) {
        size_t end = slice_find(words, SLICE(", "));

        if (slice_equal(slice_range(words, 0, end), word))
            return true;
        words = slice_range(words, end + strlen(", "), words.length);
    }
    return false;
}

/* Of things that are one row now, what is told of the others, too. */
static void add_words(const struct matching *matching, bool is_after, size_t row, struct delta_entry *entry)
{
    struct delta *delta = matching->delta;

    for (size_t i = 0; i < delta->text_count; i++) {
        struct slice told = entry->texts[i];
        struct slice word = text_of(delta, matching->sides[is_after], row, i);

        if (!is_name(&delta->texts[i]) && word.length > 0 && !has_word(told, word))
            entry->texts[i] = slice_of(
                arena_format(&delta->arena, "%.*s, %.*s", SLICE_ARGUMENTS(told), SLICE_ARGUMENTS(word)));
    }
}

/* What of a row is of crates that are inferred. */
static uint64_t inferred_part(const struct delta *delta, const struct rows *rows, size_t row, uint64_t whole)
{
    size_t part = find_column(rows, delta->inferred_key);
    size_t source = find_column(rows, "crate-source");

    if (part < rows->column_count)
        return rows_at(rows, row)[part].number;
    return source < rows->column_count && slice_is(rows_at(rows, row)[source].text, "inferred") ? whole : 0;
}

static void add_values(const struct delta *delta, const struct rows *rows, size_t row, bool is_after,
                       struct delta_entry *entry)
{
    for (size_t i = 0; i < delta->value_count; i++) {
        size_t column = find_column(rows, delta->values[i].key);
        uint64_t number = column < rows->column_count ? rows_at(rows, row)[column].number : 0;

        *(is_after ? &entry->values[i].after : &entry->values[i].before) += number;
        if (delta->inferred_key && i == delta->primary)
            *(is_after ? &entry->inferred.after : &entry->inferred.before) +=
                inferred_part(delta, rows, row, number);
    }
    entry->was_there |= !is_after;
    entry->is_there |= is_after;
}

static void add_entries(struct matching *matching)
{
    struct delta *delta = matching->delta;
    const struct pairing *pairing = &matching->pairing;

    for (size_t i = 0; i < pairing->groups.count; i++)
        *vec_add(&delta->items) = (struct delta_entry){0};
    for (size_t i = 0; i < pairing->items.count; i++) {
        const struct pairing_item *item = &pairing->items.items[i];
        size_t row = item->is_after ? i - rows_count(matching->sides[false]) : i;
        struct delta_entry *entry = &delta->items.items[item->group];

        if (item->is_after ? !entry->is_there : !entry->was_there)
            set_names(matching, item->is_after, row, item->group, entry);
        else
            add_words(matching, item->is_after, row, entry);
        add_values(delta, matching->sides[item->is_after], row, item->is_after, entry);
    }
}

static void match(struct delta *delta, const struct rows *before, const struct rows *after)
{
    SCOPED(matching_done) struct matching matching = {.delta = delta, .sides = {before, after}};

    add_versions(&matching, false);
    add_versions(&matching, true);
    crate_versions_finish(&matching.versions);
    add_names(&matching, false);
    add_names(&matching, true);
    pairing_finish(&matching.pairing);
    add_entries(&matching);
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
    find_columns(after, out);
    out->primary = find_primary(out, primary_key);
    if (out->inferred_key && find_column(after, out->inferred_key) == after->column_count &&
        find_column(after, "crate-source") == after->column_count)
        out->inferred_key = NULL;
    out->list_key = after->list_key;
    out->noun = after->noun;
    out->apart = after->apart;
    match(out, before, after);
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

bool delta_is_inferred(struct delta_value inferred, struct delta_value value)
{
    return inferred.before > value.before / 2 || inferred.after > value.after / 2;
}

size_t delta_find_text(const struct delta *delta, const char *key)
{
    size_t i = 0;

    while (i < delta->text_count && strcmp(delta->texts[i].key, key) != 0)
        i++;
    return i;
}
