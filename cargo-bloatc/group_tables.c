#include "group_tables.h"

#include "base/intern.h"
#include "columns.h"
#include "rust/symbol_path.h"
#include "size/generics.h"

/* What a row adds up. */
struct group {
    uint64_t size_bytes;
    uint64_t inferred_bytes;
    uint64_t function_count;
    struct slice version; /* of the first one's crate */
};

/* Functions by the name of the row they are shown in. Zero-initialised is empty. */
struct groups {
    struct intern names;
    VEC(struct group) items; /* by the name's id */
    struct symbol symbol;    /* scratch */
    struct text name;
};

static void groups_done(struct groups *groups)
{
    intern_done(&groups->names);
    vec_done(&groups->items);
    symbol_done(&groups->symbol);
    text_done(&groups->name);
}

static void groups_count(struct groups *groups, struct slice name, const struct measured *measured)
{
    uint32_t id = intern_add(&groups->names, name);
    struct group *group = NULL;

    if (id == groups->items.count)
        *vec_add(&groups->items) =
            (struct group){.version = measured->is_std ? (struct slice){0} : measured->version};
    group = &groups->items.items[id];
    group->size_bytes += measured->size_bytes;
    group->inferred_bytes += measured->crate_source == CRATE_INFERRED ? measured->size_bytes : 0;
    group->function_count += measured->kind == MEASURED_FUNCTION;
}

/* The name of the row that a function belongs to; may be in groups->name. */
typedef struct slice group_name_fn(struct groups *groups, const struct measured *measured,
                                   const struct bloatc_settings *settings);

static struct slice crate_name(struct groups *groups, const struct measured *measured,
                               const struct bloatc_settings *settings)
{
    (void)groups;
    return filter_crate_row(measured, settings->split_std);
}

static struct slice module_name(struct groups *groups, const struct measured *measured,
                                const struct bloatc_settings *settings)
{
    if (measured->kind != MEASURED_FUNCTION)
        return measured->name;
    text_clear(&groups->name);
    symbol_parse(&groups->symbol, measured->symbol);
    symbol_add_module(&groups->name, &groups->symbol);
    return groups->name.length > 0 ? text_slice(&groups->name)
                                   : filter_crate_row(measured, settings->split_std);
}

static void add_rows(struct rows *rows, const struct groups *groups)
{
    for (uint32_t id = 0; id < groups->items.count; id++) {
        union cell *cells = rows_add(rows);
        const struct group *group = &groups->items.items[id];
        struct slice name = intern_text(&groups->names, id);

        cells[SIZE_COLUMN].number = group->size_bytes;
        cells[SIZE_COLUMN + 1].text = (struct slice){arena_copy(&rows->arena, name), name.length};
        cells[SIZE_COLUMN + 2].number = group->function_count;
        cells[SIZE_COLUMN + 3].number = group->inferred_bytes;
        if (rows->column_count > SIZE_COLUMN + 4 && group->version.length > 0)
            cells[SIZE_COLUMN + 4].text = group->version;
    }
}

static int fill(const struct measurement *measurement, const struct bloatc_settings *settings,
                const struct filter *filter, group_name_fn *name_of, struct rows *rows, struct error *err)
{
    SCOPED(groups_done) struct groups groups = {0};

    rows_add_column(rows, (struct column){COLUMN_COUNT, NULL, "functions", 0, 0});
    rows_add_column(rows, (struct column){COLUMN_BYTES, NULL, "inferred-size", 0, 0});
    if (name_of == crate_name)
        rows_add_column(rows, (struct column){COLUMN_TEXT, NULL, "version", 0, 0});
    for (size_t i = 0; i < measurement->items.count; i++) {
        const struct measured *measured = &measurement->items.items[i];
        int taken = filter_takes(filter, measured, err);

        if (taken < 0)
            return -1;
        if (taken)
            groups_count(&groups, name_of(&groups, measured, settings), measured);
    }
    add_rows(rows, &groups);
    return 0;
}

int crates_fill(const struct measurement *measurement, const struct bloatc_settings *settings,
                const struct filter *filter, struct rows *rows, struct error *err)
{
    rows->list_key = "crates";
    rows->noun = "crate";
    columns_add_sizes(rows, measurement, settings);
    rows_add_column(rows, (struct column){COLUMN_TEXT, "Crate", "name", 0, 0});
    return fill(measurement, settings, filter, crate_name, rows, err);
}

int modules_fill(const struct measurement *measurement, const struct bloatc_settings *settings,
                 const struct filter *filter, struct rows *rows, struct error *err)
{
    rows->list_key = "modules";
    rows->noun = "module";
    columns_add_sizes(rows, measurement, settings);
    rows_add_column(rows, (struct column){COLUMN_TEXT, "Module", "name", 0, 0});
    return fill(measurement, settings, filter, module_name, rows, err);
}

/* What is between the functions stands as it is, so that the rows add up. */
static void add_gap(struct rows *rows, const struct measured *gap)
{
    union cell *cells = rows_add(rows);

    cells[SIZE_COLUMN].number = gap->size_bytes;
    cells[SIZE_COLUMN + 1].number = 0;
    cells[SIZE_COLUMN + 2].number = gap->size_bytes;
    cells[SIZE_COLUMN + 3].text = gap->name;
}

static int collect(const struct measurement *measurement, const struct filter *filter,
                   struct generics *generics, struct rows *gaps, struct error *err)
{
    for (size_t i = 0; i < measurement->items.count; i++) {
        const struct measured *measured = &measurement->items.items[i];
        int taken = filter_takes(filter, measured, err);

        if (taken < 0)
            return -1;
        if (taken && measured->kind == MEASURED_FUNCTION)
            generics_add(generics, measured->symbol, measured->size_bytes);
        else if (taken)
            add_gap(gaps, measured);
    }
    return 0;
}

int generics_fill(const struct measurement *measurement, const struct bloatc_settings *settings,
                  const struct filter *filter, struct rows *rows, struct error *err)
{
    SCOPED(generics_done) struct generics generics = {0};

    rows->list_key = "generics";
    rows->noun = "function";
    columns_add_sizes(rows, measurement, settings);
    rows_add_column(rows, (struct column){COLUMN_COUNT, "Copies", "copies", 0, 0});
    rows_add_column(rows, (struct column){COLUMN_INCLUSIVE_BYTES, "One copy", "one-copy-size", 0, 0});
    rows_add_column(rows, (struct column){COLUMN_TEXT, "Name", "name", 0, 0});
    if (collect(measurement, filter, &generics, rows, err) < 0)
        return -1;
    for (size_t i = 0; i < generics.items.count; i++) {
        const struct generic *generic = &generics.items.items[i];
        union cell *cells = rows_add(rows);

        cells[SIZE_COLUMN].number = generic->size_bytes;
        cells[SIZE_COLUMN + 1].number = generic->copies;
        cells[SIZE_COLUMN + 2].number = generic->largest_bytes;
        cells[SIZE_COLUMN + 3].text =
            (struct slice){arena_copy(&rows->arena, generic->name), generic->name.length};
    }
    return 0;
}
