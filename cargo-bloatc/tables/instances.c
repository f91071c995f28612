#include <string.h>

#include "base/intern.h"
#include "rust/crate_name.h"
#include "rust/drop_glue.h"
#include "rust/symbol_path.h"
#include "size/generics.h"
#include "tables/columns.h"
#include "tables/group_tables.h"

/* The columns behind the size. */
enum {
    CRATE_COLUMN,
    SOURCE_COLUMN,
    GENERIC_COLUMN,
    SHOWN_COLUMN,
    ARGUMENTS_COLUMN,
    NAME_COLUMN,
    SYMBOL_COLUMN,
    VERSION_COLUMN
};

/* Whether `typed` is the name or its last parts. */
static bool is_named(struct slice name, struct slice typed)
{
    struct slice before = slice_range(name, 0, name.length - typed.length);

    if (typed.length > name.length || !slice_ends_with(name, typed))
        return false;
    return before.length == 0 || slice_ends_with(before, SLICE("::")) || slice_ends_with(before, SLICE("<"));
}

static int refuse_several(const char *typed, struct slice first, struct slice second, struct error *err)
{
    error_hint(err, "write more of it; --by generic shows the names");
    return error_set(err, ERROR_USAGE, "several functions are called \"%s\": %.*s and %.*s", typed,
                     SLICE_ARGUMENTS(first), SLICE_ARGUMENTS(second));
}

/* As --by generic calls it, or without the version of its crate. */
static bool has_name(const struct generic *generic, struct slice name)
{
    return slice_equal(generic->name, name) || slice_equal(generic->plain_name, name);
}

/* Which instances are wanted: those of functions that are called so, or shown so in a table. */
struct wanted {
    const struct measurement *measurement;
    const struct filter *filter;
    struct generics generics; /* of what the filter takes */
    struct slice name;
    struct slice label; /* empty: the name counts */
};

static void wanted_done(struct wanted *wanted)
{
    generics_done(&wanted->generics);
}

/* "dup@1.0.0::plain", "dup[1f2e]::plain" */
static void add_name_with_crate(struct text *text, const struct generic *generic,
                                const struct generic_definer *definer)
{
    crate_name_add_labelled(text, generic->plain_name, definer->crate, definer->label);
}

/* Whether tables tell it so from others that read the same: that of generics, or ours, by its crate. */
static bool has_label(const struct generics *generics, uint32_t id, const struct generic_definer *definer,
                      struct slice label)
{
    SCOPED(text_done) struct text shown = {0};

    generics_add_label(&shown, generics, id);
    if (slice_equal(text_slice(&shown), label))
        return true;
    text_clear(&shown);
    if (definer->label.length > 0)
        add_name_with_crate(&shown, &generics->items.items[id], definer);
    return slice_equal(text_slice(&shown), label);
}

/* The next instance from `*at` on; as of filter_next, with the index of its generic. */
static int next_wanted(struct wanted *wanted, size_t *at, const struct measured **out, uint32_t *id,
                       struct error *err)
{
    struct generics *generics = &wanted->generics;
    int taken = 0;

    while ((taken = filter_next(wanted->filter, wanted->measurement, at, out, err)) > 0) {
        if ((*out)->kind != MEASURED_FUNCTION)
            continue;
        *id = generics_find(generics, (*out)->symbol, (*out)->definer);
        if (*id != INTERN_NONE &&
            (wanted->label.length > 0 ? has_label(generics, *id, &(*out)->definer, wanted->label)
                                      : has_name(&generics->items.items[*id], wanted->name)))
            return 1;
    }
    return taken;
}

static bool find_whole_name(struct wanted *wanted, struct slice word)
{
    const struct generics *generics = &wanted->generics;

    for (size_t i = 0; i < generics->items.count; i++) {
        const struct generic *item = &generics->items.items[i];

        if (!has_name(item, word))
            continue;
        wanted->name = slice_equal(item->name, word) ? item->name : item->plain_name;
        return true;
    }
    return false;
}

/* 1 or 0, or -1 as of filter_next. Labels are names with hashes, numbers or arguments. */
static int find_label(struct wanted *wanted, const char *typed, struct error *err)
{
    const struct measured *measured = NULL;
    size_t at = 0;
    uint32_t id = 0;
    int found = 0;

    if (!strpbrk(typed, "[(<"))
        return 0;
    wanted->label = slice_of(typed);
    found = next_wanted(wanted, &at, &measured, &id, err);
    if (found <= 0)
        wanted->label = (struct slice){0};
    return found;
}

/* The only name that ends so, which functions of several versions of a crate may share. */
static int find_end_of_name(struct wanted *wanted, const char *typed, struct slice word, struct error *err)
{
    const struct generics *generics = &wanted->generics;
    struct slice found = {0};

    for (size_t i = 0; i < generics->items.count; i++) {
        struct slice name = generics->items.items[i].plain_name;

        if (!is_named(name, word) || slice_equal(name, found))
            continue;
        if (found.length > 0)
            return refuse_several(typed, found, name, err);
        found = name;
    }
    if (found.length == 0) {
        error_hint(err, "--by generic shows the names");
        return error_set(err, ERROR_MISSING, "no function is called \"%s\"", typed);
    }
    wanted->name = found;
    return 0;
}

/* A name or label in full counts before the end of one. */
static int find_wanted(struct wanted *wanted, const char *typed, struct error *err)
{
    struct slice word = drop_glue_as_key(slice_of(typed));
    int found = find_whole_name(wanted, word) ? 1 : find_label(wanted, typed, err);

    if (found != 0)
        return found < 0 ? -1 : 0;
    return find_end_of_name(wanted, typed, word, err);
}

/* In the rows' arena. */
static struct slice name_with_crate(struct rows *rows, const struct generic *generic,
                                    const struct generic_definer *definer)
{
    SCOPED(text_done) struct text name = {0};

    add_name_with_crate(&name, generic, definer);
    return arena_slice(&rows->arena, text_slice(&name));
}

static void add_instance(struct rows *rows, const struct measured *measured, const struct generic *generic,
                         const struct bloatc_settings *settings)
{
    SCOPED(symbol_done) struct symbol symbol = {0};
    SCOPED(text_done) struct text arguments = {0};
    struct slice crate = filter_shown_crate(measured, settings->split_std);
    struct row_size size = {0};
    union cell *cells = NULL;

    row_size_add(&size, measured);
    cells = columns_set_sizes(rows_add(rows), &size, settings);
    symbol_parse(&symbol, measured->symbol);
    symbol_add_arguments(&arguments, &symbol);
    if (crate.length > 0)
        cells[CRATE_COLUMN].text = crate;
    cells[SOURCE_COLUMN].text = columns_source_name(measured->crate_source);
    cells[SHOWN_COLUMN].text = measured->name;
    if (measured->definer.label.length > 0)
        cells[GENERIC_COLUMN].text = name_with_crate(rows, generic, &measured->definer);
    if (arguments.length > 0)
        cells[SHOWN_COLUMN].text = cells[ARGUMENTS_COLUMN].text =
            arena_slice(&rows->arena, text_slice(&arguments));
    cells[NAME_COLUMN].text = measured->name;
    cells[SYMBOL_COLUMN].text = measured->symbol;
    cells[VERSION_COLUMN].text = filter_shown_version(measured, settings->split_std);
}

static int take_all(struct wanted *wanted, struct error *err)
{
    const struct measured *measured = NULL;
    size_t at = 0;
    int taken = 0;

    while ((taken = filter_next(wanted->filter, wanted->measurement, &at, &measured, err)) > 0)
        if (measured->kind == MEASURED_FUNCTION)
            generics_add(&wanted->generics, measured->symbol, measured->definer, measured->size_bytes);
    generics_compare_names(&wanted->generics);
    return taken;
}

static void add_columns(struct rows *rows, const struct measurement *measurement,
                        const struct bloatc_settings *settings)
{
    rows->list_key = "instances";
    rows->noun = "instance";
    columns_add_sizes(rows, measurement, settings);
    rows_add_column(rows, (struct column){COLUMN_TEXT, "Crate", "crate", 0, 0});
    rows_add_column(rows, (struct column){COLUMN_TEXT, NULL, "crate-source", 0, 0});
    rows_add_column(rows, (struct column){COLUMN_TEXT, NULL, "generic", 0, 0});
    rows_add_column(rows, (struct column){COLUMN_TEXT, "Type arguments", NULL, 0, 0});
    rows_add_column(rows, (struct column){COLUMN_TEXT, NULL, "arguments", 0, 0});
    rows_add_column(rows, (struct column){COLUMN_TEXT, NULL, "name", 0, 0});
    rows_add_column(rows, (struct column){COLUMN_TEXT, NULL, "symbol", 0, 0});
    rows_add_column(rows, (struct column){COLUMN_TEXT, NULL, "crate-version", 0, 0});
}

/*
 * People see the type arguments, and the whole name where it does not tell them; where several versions of a
 * crate have the function, which it is of.
 */
static void title_what_is_shown(struct rows *rows, const struct bloatc_settings *settings)
{
    size_t own = columns_of_sizes(settings);
    size_t known = 0;
    size_t versioned = 0;

    for (size_t i = 0; i < rows_count(rows); i++) {
        known += rows_at(rows, i)[own + ARGUMENTS_COLUMN].text.length > 0;
        versioned += rows_at(rows, i)[own + GENERIC_COLUMN].text.length > 0;
    }
    if (versioned > 0)
        rows->columns[own + GENERIC_COLUMN].title = "Function";
    if (known < rows_count(rows))
        rows->columns[own + SHOWN_COLUMN].title = known == 0 ? "Name" : "Type arguments or name";
}

int instances_fill(const struct measurement *measurement, const struct bloatc_settings *settings,
                   const struct filter *filter, struct rows *rows, struct error *err)
{
    SCOPED(wanted_done) struct wanted wanted = {.measurement = measurement, .filter = filter};
    const struct measured *measured = NULL;
    uint32_t id = 0;
    size_t at = 0;
    int taken = 0;

    add_columns(rows, measurement, settings);
    if (take_all(&wanted, err) < 0 || find_wanted(&wanted, settings->instances, err) < 0)
        return -1;
    while ((taken = next_wanted(&wanted, &at, &measured, &id, err)) > 0)
        add_instance(rows, measured, &wanted.generics.items.items[id], settings);
    title_what_is_shown(rows, settings);
    return taken;
}

bool instances_have_legacy_names(const struct rows *rows, const struct bloatc_settings *settings)
{
    size_t column = columns_of_sizes(settings) + SYMBOL_COLUMN;
    SCOPED(symbol_done) struct symbol symbol = {0};

    for (size_t i = 0; i < rows_count(rows); i++) {
        symbol_parse(&symbol, rows_at(rows, i)[column].text);
        if (symbol.kind == SYMBOL_RUST_LEGACY)
            return true;
    }
    return false;
}

uint64_t instances_inferred_bytes(const struct rows *rows, const struct bloatc_settings *settings)
{
    size_t source = columns_of_sizes(settings) + SOURCE_COLUMN;
    uint64_t bytes = 0;

    for (size_t i = 0; i < rows_count(rows); i++)
        if (slice_equal(rows_at(rows, i)[source].text, columns_source_name(CRATE_INFERRED)))
            bytes += rows_at(rows, i)[SIZE_COLUMN].number;
    return bytes;
}
