#include "tables/group_tables.h"

#include "base/intern.h"
#include "rust/symbol_path.h"
#include "size/generics.h"
#include "tables/columns.h"

/* The columns behind those of sizes, in tables of crates and modules. */
enum { KNOWN_COLUMN, NAME_COLUMN, FUNCTIONS_COLUMN, INFERRED_COLUMN, VERSION_COLUMN };

/* What a row adds up. */
struct group {
    struct row_size size;
    uint64_t known_bytes[CRATE_SOURCES]; /* by how their crate is known */
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

static void groups_count(struct groups *groups, struct slice name, const struct measured *measured,
                         const struct bloatc_settings *settings)
{
    uint32_t id = intern_add(&groups->names, name);
    struct group *group = NULL;

    if (id == groups->items.count)
        *vec_add(&groups->items) =
            (struct group){.version = filter_shown_version(measured, settings->split_std)};
    group = &groups->items.items[id];
    row_size_add(&group->size, measured);
    group->known_bytes[measured->crate_source] += measured->size_bytes;
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
        return filter_crate_row(measured, settings->split_std);
    text_clear(&groups->name);
    symbol_parse(&groups->symbol, measured->symbol);
    symbol_add_module(&groups->name, &groups->symbol);
    return groups->name.length > 0 ? text_slice(&groups->name)
                                   : filter_crate_row(measured, settings->split_std);
}

/* By what crates are known, what most bytes are known by first: "debug-info, inferred". */
static struct slice known_from(struct rows *rows, const struct group *group)
{
    SCOPED(text_done) struct text text = {0};
    struct group left = *group;

    for (;;) {
        size_t most = CRATE_UNKNOWN;

        left.known_bytes[CRATE_UNKNOWN] = 0;
        for (size_t i = 0; i < CRATE_SOURCES; i++)
            if (left.known_bytes[i] > left.known_bytes[most])
                most = i;
        if (left.known_bytes[most] == 0)
            break;
        left.known_bytes[most] = 0;
        text_add_string(&text, text.length > 0 ? ", " : "");
        text_add(&text, columns_source_name((enum crate_source)most));
    }
    return text.length > 0 ? arena_slice(&rows->arena, text_slice(&text)) : (struct slice){0};
}

static bool is_mostly_inferred(const struct group *group)
{
    return group->known_bytes[CRATE_INFERRED] > group->size.size_bytes / 2;
}

/* What tells people how far the crates of rows are known; NULL for no such column. */
static const char *known_title(const struct groups *groups, const struct bloatc_settings *settings)
{
    if (settings->show_known)
        return "Known from";
    for (size_t i = 0; settings->by == BY_CRATE && i < groups->items.count; i++)
        if (is_mostly_inferred(&groups->items.items[i]))
            return "";
    return NULL;
}

static void add_columns(struct rows *rows, const struct groups *groups,
                        const struct bloatc_settings *settings)
{
    const char *title = settings->by == BY_MODULE ? "Module" : "Crate";
    const char *known_key = settings->show_known ? "crate-source" : NULL;

    rows_add_column(rows, (struct column){COLUMN_WORD, known_title(groups, settings), known_key, 0, 0});
    rows_add_column(rows, (struct column){COLUMN_TEXT, title, "name", 0, 0});
    rows_add_column(rows, (struct column){COLUMN_COUNT, NULL, "functions", 0, 0});
    rows_add_column(rows, (struct column){COLUMN_BYTES, NULL, "inferred-size", 0, 0});
    if (settings->by != BY_MODULE)
        rows_add_column(rows, (struct column){COLUMN_TEXT, NULL, "version", 0, 0});
}

static void add_rows(struct rows *rows, const struct groups *groups, const struct bloatc_settings *settings)
{
    for (uint32_t id = 0; id < groups->items.count; id++) {
        const struct group *group = &groups->items.items[id];
        struct slice name = intern_text(&groups->names, id);
        union cell *cells = columns_set_sizes(rows_add(rows), &group->size, settings);

        if (settings->show_known)
            cells[KNOWN_COLUMN].text = known_from(rows, group);
        else if (is_mostly_inferred(group))
            cells[KNOWN_COLUMN].text = SLICE(CRATES_INFERRED_MARK);
        cells[NAME_COLUMN].text = arena_slice(&rows->arena, name);
        cells[FUNCTIONS_COLUMN].number = group->function_count;
        cells[INFERRED_COLUMN].number = group->known_bytes[CRATE_INFERRED];
        if (rows->column_count > columns_of_sizes(settings) + VERSION_COLUMN && group->version.length > 0)
            cells[VERSION_COLUMN].text = group->version;
    }
}

static int fill(const struct measurement *measurement, const struct bloatc_settings *settings,
                const struct filter *filter, struct rows *rows, struct error *err)
{
    group_name_fn *name_of = settings->by == BY_MODULE ? module_name : crate_name;
    SCOPED(groups_done) struct groups groups = {0};
    const struct measured *measured = NULL;
    size_t at = 0;
    int taken = 0;

    while ((taken = filter_next(filter, measurement, &at, &measured, err)) > 0)
        groups_count(&groups, name_of(&groups, measured, settings), measured, settings);
    columns_add_sizes(rows, measurement, settings);
    add_columns(rows, &groups, settings);
    add_rows(rows, &groups, settings);
    return taken;
}

bool crates_mark(struct rows *rows, const struct bloatc_settings *settings)
{
    size_t column = columns_of_sizes(settings) + KNOWN_COLUMN;
    struct column *known = &rows->columns[column];
    size_t shown = rows_count(rows);

    if (settings->by != BY_CRATE || !known->title || *known->title)
        return false;
    if (settings->outputs.limit > 0 && settings->outputs.limit < shown)
        shown = settings->outputs.limit;
    for (size_t row = 0; row < shown; row++)
        if (rows_at(rows, row)[column].text.length > 0)
            return true;
    known->title = NULL;
    return false;
}

int crates_fill(const struct measurement *measurement, const struct bloatc_settings *settings,
                const struct filter *filter, struct rows *rows, struct error *err)
{
    rows->list_key = "crates";
    rows->noun = columns_noun(settings, "crate");
    return fill(measurement, settings, filter, rows, err);
}

int modules_fill(const struct measurement *measurement, const struct bloatc_settings *settings,
                 const struct filter *filter, struct rows *rows, struct error *err)
{
    rows->list_key = "modules";
    rows->noun = columns_noun(settings, "module");
    return fill(measurement, settings, filter, rows, err);
}

/* What is between the functions stands as it is, so that the rows add up. */
static void add_gap(struct rows *rows, const struct measured *gap, const struct bloatc_settings *settings)
{
    struct row_size size = {0};
    union cell *cells = NULL;

    row_size_add(&size, gap);
    cells = columns_set_sizes(rows_add(rows), &size, settings);
    cells[0].number = 0;
    cells[1].number = gap->size_bytes;
    cells[2].text = gap->name;
    if (gap->kind == MEASURED_OF_CRATE)
        cells[2].text = slice_of(arena_format(&rows->arena, "[used by several functions of %.*s]",
                                              SLICE_ARGUMENTS(filter_crate_row(gap, settings->split_std))));
}

/* Generics and what all their instances take. Zero-initialised is empty. */
struct generic_sizes {
    struct generics generics;
    VEC(struct row_size) items; /* by generic */
};

static void generic_sizes_done(struct generic_sizes *sizes)
{
    generics_done(&sizes->generics);
    vec_done(&sizes->items);
}

/*
 * Line tables alone have names without the path that they stand in and without mangling, "new<u8>" of
 * Vec::new and all others: the crate is all that can be told beside these, "new of alloc".
 */
static void add_bare_name(struct text *name, const struct measured *measured, bool split_std)
{
    struct slice crate = filter_shown_crate(measured, split_std);
    size_t end = slice_find_byte(measured->name, '<');

    text_add(name, slice_range(measured->name, 0, end > 0 ? end : measured->name.length));
    if (crate.length > 0)
        text_format(name, " of %.*s", SLICE_ARGUMENTS(crate));
}

static void count_instance(struct generic_sizes *sizes, const struct measured *measured, bool split_std)
{
    SCOPED(text_done) struct text bare = {0};
    uint32_t id = 0;

    if (measured->symbol.length == 0)
        add_bare_name(&bare, measured, split_std);
    id = generics_add(&sizes->generics, bare.length > 0 ? text_slice(&bare) : measured->symbol,
                      measured->definer, measured->size_bytes);

    if (id == sizes->items.count)
        *vec_add(&sizes->items) = (struct row_size){0};
    row_size_add(&sizes->items.items[id], measured);
}

static void join(struct generic_sizes *sizes)
{
    generics_join(&sizes->generics);
    for (uint32_t id = 0; id < sizes->items.count; id++) {
        uint32_t to = generics_joined(&sizes->generics, id);

        if (to != id)
            row_size_join(&sizes->items.items[to], &sizes->items.items[id]);
    }
}

static int collect(const struct measurement *measurement, const struct bloatc_settings *settings,
                   const struct filter *filter, struct generic_sizes *sizes, struct rows *gaps,
                   struct error *err)
{
    const struct measured *measured = NULL;
    size_t at = 0;
    int taken = 0;

    while ((taken = filter_next(filter, measurement, &at, &measured, err)) > 0)
        if (measured->kind == MEASURED_FUNCTION)
            count_instance(sizes, measured, settings->split_std);
        else
            add_gap(gaps, measured, settings);
    return taken;
}

int generics_fill(const struct measurement *measurement, const struct bloatc_settings *settings,
                  const struct filter *filter, struct rows *rows, struct error *err)
{
    SCOPED(generic_sizes_done) struct generic_sizes sizes = {0};
    SCOPED(text_done) struct text label = {0};

    rows->list_key = "generics";
    rows->noun = columns_noun(settings, "function");
    columns_add_sizes(rows, measurement, settings);
    rows_add_column(rows, (struct column){COLUMN_COUNT, "Copies", "copies", 0, 0});
    rows_add_column(rows, (struct column){COLUMN_INCLUSIVE_BYTES, "One copy", "one-copy-size", 0, 0});
    rows_add_column(rows, (struct column){COLUMN_TEXT, "Name", "name", rows->column_count + 1, 0});
    rows_add_column(rows, (struct column){COLUMN_TEXT, NULL, "label", 0, 0});
    rows_add_column(rows, (struct column){COLUMN_TEXT, NULL, "crate-version", 0, 0});
    if (collect(measurement, settings, filter, &sizes, rows, err) < 0)
        return -1;
    join(&sizes);
    for (size_t i = 0; i < sizes.items.count; i++) {
        const struct generic *generic = &sizes.generics.items.items[i];
        union cell *cells = NULL;

        if (generic->copies == 0)
            continue;
        cells = columns_set_sizes(rows_add(rows), &sizes.items.items[i], settings);
        cells[0].number = generic->copies;
        cells[1].number = generic->largest_bytes;
        text_clear(&label);
        generics_add_label(&label, &sizes.generics, (uint32_t)i);
        cells[2].text = arena_slice(&rows->arena, generic->name);
        if (!slice_equal(text_slice(&label), generic->name))
            cells[3].text = arena_slice(&rows->arena, text_slice(&label));
        if (generic->version.length > 0)
            cells[4].text = arena_slice(&rows->arena, generic->version);
    }
    return 0;
}
