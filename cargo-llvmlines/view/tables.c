#include "view/tables.h"

#include "groups/group_labels.h"
#include "view/sized_rows.h"

void tables_done(struct tables *tables)
{
    rows_done(&tables->functions);
    rows_done(&tables->parts);
}

static void entries_done(struct entries *entries)
{
    vec_done(&entries->items);
}

static int compare_numbers(uint64_t a, uint64_t b)
{
    return (a < b) - (a > b);
}

/* The order of cargo-llvm-lines: from large to small, equal ones by the other number, then by name. */
static int by_lines(const void *left, const void *right)
{
    const struct entry *a = left;
    const struct entry *b = right;
    int order = compare_numbers(a->group.lines, b->group.lines);

    order = order ? order : compare_numbers(a->group.copies, b->group.copies);
    return order ? order : slice_compare(a->label, b->label);
}

static int by_copies(const void *left, const void *right)
{
    const struct entry *a = left;
    const struct entry *b = right;
    int order = compare_numbers(a->group.copies, b->group.copies);

    return order ? order : by_lines(left, right);
}

static int by_size(const void *left, const void *right)
{
    const struct entry *a = left;
    const struct entry *b = right;
    int order = compare_numbers(a->size.size_bytes, b->size.size_bytes);

    return order ? order : by_lines(left, right);
}

static int by_name(const void *left, const void *right)
{
    const struct entry *a = left;
    const struct entry *b = right;

    return slice_compare(a->label, b->label);
}

static void sort(struct entries *entries, enum llvmlines_order order)
{
    switch (order) {
    case ORDER_BY_LINES:
        vec_sort(&entries->items, by_lines);
        break;
    case ORDER_BY_COPIES:
        vec_sort(&entries->items, by_copies);
        break;
    case ORDER_BY_NAME:
        vec_sort(&entries->items, by_name);
        break;
    case ORDER_BY_SIZE:
        vec_sort(&entries->items, by_size);
        break;
    }
}

/* What is to be shown: all, or what a word of the command line is the row or the expression for. */
struct wanted {
    const char *word;           /* NULL for all */
    const struct regex *filter; /* the same compiled */
};

/* Rows of what has no name are called [Unknown], which as a regular expression is one of those letters. */
static bool is_row(const char *word, const struct slice *labels, size_t count)
{
    for (size_t i = 0; word && word[0] == '[' && i < count; i++)
        if (slice_is(labels[i], word))
            return true;
    return false;
}

static int collect(const struct measurement *measurement, const struct wanted *wanted, struct tables *tables,
                   struct entries *out, struct error *err)
{
    struct arena *arena = &tables->functions.arena;
    const struct groups *groups = &measurement->groups;
    const struct slice *labels = group_labels(groups, &measurement->crates, arena);
    bool is_one_row = is_row(wanted->word, labels, groups->items.count);
    bool *has_row = ARENA_ARRAY(arena, groups->items.count, bool);

    tables->has_row = has_row;
    for (size_t i = 0; i < groups->items.count; i++) {
        int matches = is_one_row       ? slice_is(labels[i], wanted->word)
                      : wanted->filter ? regex_matches(wanted->filter, labels[i], err)
                                       : 1;

        if (matches < 0)
            return -1;
        has_row[i] = matches;
        if (matches)
            *vec_add(&out->items) = (struct entry){
                .group = groups->items.items[i],
                .label = labels[i],
                .version = groups_version(groups, &measurement->crates, (uint32_t)i),
                .size = measurement->has_sizes ? measurement->sizes.items.items[i] : (struct group_size){0}};
    }
    return 0;
}

/* A number, its share, and the share of all rows so far. */
static void add_number_columns(struct rows *rows, const char *title, const char *key, uint64_t whole)
{
    size_t first = rows->column_count;

    rows_add_column(rows, (struct column){COLUMN_COUNT, title, key, 0, 0});
    rows_add_column(rows, (struct column){COLUMN_SHARE, "%", NULL, first, whole});
    rows_add_column(rows, (struct column){COLUMN_RUNNING, NULL, NULL, 0, 0});
    rows_add_column(rows, (struct column){COLUMN_SHARE, "Sum", NULL, first + 2, whole});
}

static void add_entries(const struct entries *entries, bool has_inlining, struct rows *rows)
{
    uint64_t lines = 0;
    uint64_t copies = 0;

    for (size_t i = 0; i < entries->items.count; i++) {
        const struct entry *entry = &entries->items.items[i];
        union cell *row = rows_add(rows);

        lines += entry->group.lines;
        copies += entry->group.copies;
        row[COLUMN_LINES].number = entry->group.lines;
        row[COLUMN_LINES_SUM].number = lines;
        row[COLUMN_COPIES].number = entry->group.copies;
        row[COLUMN_COPIES_SUM].number = copies;
        row[COLUMN_NAME].text = entry->label;
        if (has_inlining)
            row[COLUMN_INLINING].text = groups_inlining(entry->group.inlinings);
    }
}

bool tables_have_inlining(const struct groups *groups)
{
    return groups->knows_inlining && (groups->by == GROUP_BY_FUNCTION || groups->by == GROUP_BY_GENERIC);
}

/* Of files a version is known by chance alone. */
static bool has_versions(const struct measurement *measurement)
{
    return measurement->crates.items.count > 0 && !measurement->crates.is_partial;
}

void tables_add_version_column(const struct measurement *measurement, struct rows *rows)
{
    bool is_crate = measurement->groups.by == GROUP_BY_CRATE;

    if (has_versions(measurement))
        rows_add_column(rows,
                        (struct column){COLUMN_TEXT, NULL, is_crate ? "version" : "crate-version", 0, 0});
}

/* The cells of that column. */
static void set_versions(const struct measurement *measurement, const struct entries *entries,
                         struct rows *rows)
{
    for (size_t i = 0; has_versions(measurement) && i < entries->items.count; i++) {
        struct slice version = entries->items.items[i].version;
        union cell *cell = &rows->cells.items[(i + 1) * rows->column_count - 1];

        if (version.length > 0)
            cell->text = arena_slice(&rows->arena, version);
    }
}

/* What a row stands for, by grouping. */
static const struct row_words row_words[] = {
    [GROUP_BY_FUNCTION] = {"functions", "function", "Function name"},
    [GROUP_BY_GENERIC] = {"functions", "function", "Function name"},
    [GROUP_BY_CRATE] = {"crates", "crate", "Crate"},
    [GROUP_BY_MODULE] = {"modules", "module", "Module"},
    [GROUP_AS_PEER] = {"functions", "function", "Function name"},
};

const struct row_words *tables_row_words(enum grouping by)
{
    return &row_words[by];
}

static void fill_lines(const struct measurement *measurement, const struct entries *entries,
                       struct tables *out)
{
    const struct groups *groups = &measurement->groups;
    struct rows *rows = &out->functions;

    add_number_columns(rows, groups_lines_title(groups), groups_lines_key(groups), groups->lines);
    add_number_columns(rows, "Copies", "copies", groups->copies);
    rows_add_column(rows, (struct column){COLUMN_TEXT, row_words[groups->by].title, "name", 0, 0});
    if (tables_have_inlining(groups))
        rows_add_column(rows, (struct column){COLUMN_TEXT, NULL, "inline", 0, 0});
    tables_add_version_column(measurement, rows);
    rows_add_fact(rows, groups_lines_key(groups), groups->lines);
    rows_add_fact(rows, "copies", groups->copies);
    add_entries(entries, tables_have_inlining(groups), rows);
    out->total[COLUMN_LINES].number = groups->lines;
    out->total[COLUMN_LINES_SUM].number = groups->lines;
    out->total[COLUMN_COPIES].number = groups->copies;
    out->total[COLUMN_COPIES_SUM].number = groups->copies;
}

static void fill_functions(const struct measurement *measurement, const struct entries *entries,
                           struct tables *out)
{
    enum grouping by = measurement->groups.by;
    struct rows *rows = &out->functions;

    rows->list_key = row_words[by].list_key;
    rows->noun = row_words[by].noun;
    rows->total_label = "(TOTAL)";
    rows->total_first = true;
    if (measurement->has_sizes)
        sized_rows_fill(measurement, entries, row_words[by].title, rows, out->total);
    else
        fill_lines(measurement, entries, out);
    set_versions(measurement, entries, rows);
    /* A filter leaves rows out, and the total is that of all. */
    rows->total = out->total;
}

static void fill_parts(const struct measurement *measurement, struct tables *out)
{
    const struct groups *groups = &measurement->groups;
    struct rows *rows = &out->parts;

    rows->list_key = "targets";
    rows->noun = "target";
    rows->total_label = "(TOTAL)";
    rows_add_column(
        rows, (struct column){COLUMN_COUNT, groups_lines_title(groups), groups_lines_key(groups), 0, 0});
    rows_add_column(rows, (struct column){COLUMN_COUNT, "Copies", "copies", 0, 0});
    rows_add_column(rows, (struct column){COLUMN_TEXT, "Target", "target", 0, 0});
    for (size_t i = 0; i < measurement->parts.count; i++) {
        const struct part *part = &measurement->parts.items[i];
        union cell *row = rows_add(rows);
        struct slice label = slice_of(part->label);

        row[0].number = part->lines;
        row[1].number = part->copies;
        row[2].text = arena_slice(&rows->arena, label);
    }
    rows_sort(rows, 0);
    out->functions.beside = rows;
}

/* A library of generics alone has none, which reads as if it had not been counted. */
static void explain_empty(const struct measurement *measurement, const struct llvmlines_settings *settings,
                          struct rows *rows)
{
    static const char note[] =
        "nothing in it is compiled by itself: generics and inline functions become code in the crates that "
        "call them, such as a program, a test or an example (--bin, --test, --example)";

    if (measurement->groups.lines == 0 && settings->files.count == 0 && measurement->parts.count > 0)
        *vec_add(&rows->notes) = note;
}

static int refuse_empty(const struct llvmlines_settings *settings, struct error *err)
{
    if (settings->by == GROUP_BY_GENERIC)
        error_hint(err, "names are those of -n 0: without type arguments, like Vec::push, closures as "
                        "run::{closure}; --by function shows each instance with its types");
    return error_set(err, ERROR_MISSING, "no function's name matches \"%s\"", settings->filter);
}

int tables_make(const struct measurement *measurement, const struct llvmlines_settings *settings,
                const struct regex *filter, struct tables *out, struct error *err)
{
    SCOPED(entries_done) struct entries entries = {0};

    if (collect(measurement, &(struct wanted){filter ? settings->filter : NULL, filter}, out, &entries, err) <
        0)
        return -1;
    if (filter && entries.items.count == 0)
        return refuse_empty(settings, err);
    sort(&entries, settings->order);
    fill_functions(measurement, &entries, out);
    explain_empty(measurement, settings, &out->functions);
    if (measurement->left_out)
        *vec_add(&out->functions.notes) = measurement->left_out;
    fill_parts(measurement, out);
    return 0;
}
