#include "tables.h"

#include <string.h>

#include "base/intern.h"
#include "base/regex.h"
#include "base/units.h"
#include "cli/suggest.h"
#include "rust/demangle.h"

/* Which functions are wanted. Zero-initialised takes all. */
struct filter {
    struct slice crate;  /* a crate as --crates shows it or by its own name; empty for none */
    struct regex *regex; /* owned; NULL for none */
    bool split_std;
};

static void filter_done(struct filter *filter)
{
    regex_free(filter->regex);
}

/* The crate as shown: std stands for all crates of the standard library unless they are split. */
static struct slice shown_crate(const struct measured_function *function, bool split_std)
{
    return function->is_std && !split_std ? SLICE("std") : function->crate;
}

/* Packages are written with "-", the crates they make with "_". */
static bool is_same_crate(struct slice crate, struct slice typed)
{
    if (crate.length != typed.length)
        return false;
    for (size_t i = 0; i < crate.length; i++)
        if (crate.data[i] != (typed.data[i] == '-' ? '_' : typed.data[i]))
            return false;
    return true;
}

/* What its row is called in the table of crates. */
static struct slice crate_row_name(const struct measured_function *function, bool split_std)
{
    struct slice crate = shown_crate(function, split_std);

    if (function->kind != MEASURED_FUNCTION)
        return function->name;
    return crate.length > 0 ? crate : SLICE("[Unknown]");
}

static bool has_crate(const struct measured_function *function, struct slice typed, bool split_std)
{
    return typed.length > 0 && (is_same_crate(function->crate, typed) ||
                                is_same_crate(crate_row_name(function, split_std), typed));
}

static int filter_make(const struct measurement *measurement, const struct bloatc_settings *settings,
                       struct filter *out, struct error *err)
{
    struct slice word = slice_of(settings->filter);

    if (!settings->filter)
        return 0;
    out->split_std = settings->split_std;
    for (size_t i = 0; i < measurement->functions.count; i++)
        if (has_crate(&measurement->functions.items[i], word, settings->split_std)) {
            out->crate = word;
            return 0;
        }
    return regex_compile(word, &out->regex, err);
}

/* 1 or 0; -1 when the regular expression gave up. */
static int filter_takes(const struct filter *filter, const struct measured_function *function,
                        struct error *err)
{
    if (filter->regex)
        return function->kind == MEASURED_FUNCTION ? regex_matches(filter->regex, function->name, err) : 0;
    return filter->crate.length == 0 || has_crate(function, filter->crate, filter->split_std);
}

static int refuse_empty(const struct measurement *measurement, const char *typed, struct error *err)
{
    struct suggestion best = suggestion_for(slice_of(typed));

    for (size_t i = 0; i < measurement->functions.count; i++)
        suggestion_consider(&best, measurement->functions.items[i].crate);
    if (best.nearest.length > 0)
        error_hint(err, "did you mean the crate %.*s?", SLICE_ARGUMENTS(best.nearest));
    else
        error_hint(err, "--crates lists the crates; a regular expression is matched against function names");
    return error_set(err, ERROR_MISSING, "no crate is called \"%s\", and no function matches it", typed);
}

/* "v0" etc. would say more than the reader needs: what counts is whether to trust it. */
static struct slice source_text(enum crate_source source)
{
    switch (source) {
    case CRATE_FROM_SYMBOL:
        return SLICE("symbol");
    case CRATE_INFERRED:
        return SLICE("inferred");
    case CRATE_UNKNOWN:
        break;
    }
    return (struct slice){0};
}

/* The columns every table begins with: two shares and a size, which is column 2. */
enum { SIZE_COLUMN = 2, CRATE_COLUMN, NAME_COLUMN, SOURCE_COLUMN, SYMBOL_COLUMN };

static void add_size_columns(struct rows *rows, const struct measurement *measurement,
                             const struct bloatc_settings *settings)
{
    const char *file = settings->hide_shares ? NULL : "File";
    const char *section =
        settings->hide_shares ? NULL : arena_copy(&rows->arena, slice_of(settings->section));

    rows_add_column(rows, (struct column){COLUMN_SHARE, file, NULL, SIZE_COLUMN, measurement->file_bytes});
    rows_add_column(rows,
                    (struct column){COLUMN_SHARE, section, NULL, SIZE_COLUMN, measurement->section_bytes});
    rows_add_column(rows, (struct column){COLUMN_BYTES, "Size", "size", 0, 0});
}

/* The name with hashes, in the rows' arena. */
static struct slice full_name(struct rows *rows, const struct measured_function *function)
{
    SCOPED(symbol_done) struct symbol symbol = {0};
    SCOPED(text_done) struct text name = {0};

    demangle_add_name(&name, &symbol, function->symbol, DEMANGLE_FULL);
    return (struct slice){arena_copy(&rows->arena, text_slice(&name)), name.length};
}

static void add_function(struct rows *rows, const struct measured_function *function,
                         const struct bloatc_settings *settings)
{
    union cell *cells = rows_add(rows);
    struct slice crate = shown_crate(function, settings->split_std);

    cells[SIZE_COLUMN].number = function->size_bytes;
    if (crate.length > 0)
        cells[CRATE_COLUMN].text = crate;
    cells[NAME_COLUMN].text = function->name;
    if (settings->full_names && function->kind == MEASURED_FUNCTION)
        cells[NAME_COLUMN].text = full_name(rows, function);
    cells[SOURCE_COLUMN].text = source_text(function->crate_source);
    if (function->symbol.length > 0)
        cells[SYMBOL_COLUMN].text = function->symbol;
}

static int fill_functions(const struct measurement *measurement, const struct bloatc_settings *settings,
                          const struct filter *filter, struct rows *rows, struct error *err)
{
    rows->list_key = "functions";
    rows->noun = "function";
    add_size_columns(rows, measurement, settings);
    rows_add_column(rows, (struct column){COLUMN_TEXT, "Crate", "crate", 0, 0});
    rows_add_column(rows, (struct column){COLUMN_TEXT, "Name", "name", 0, 0});
    rows_add_column(rows, (struct column){COLUMN_TEXT, NULL, "crate-source", 0, 0});
    rows_add_column(rows, (struct column){COLUMN_TEXT, NULL, "symbol", 0, 0});
    for (size_t i = 0; i < measurement->functions.count; i++) {
        const struct measured_function *function = &measurement->functions.items[i];
        int taken = filter_takes(filter, function, err);

        if (taken < 0)
            return -1;
        if (taken)
            add_function(rows, function, settings);
    }
    return 0;
}

/* What a crate's row adds up. */
struct crate_sum {
    uint64_t size_bytes;
    uint64_t inferred_bytes;
    uint64_t function_count;
};

/* Crates by the name they are shown under. Zero-initialised is empty. */
struct crate_sums {
    struct intern names;
    VEC(struct crate_sum) items; /* by the name's id */
};

static void crate_sums_done(struct crate_sums *sums)
{
    intern_done(&sums->names);
    vec_done(&sums->items);
}

static struct crate_sum *crate_sums_of(struct crate_sums *sums, struct slice name)
{
    uint32_t id = intern_add(&sums->names, name);
    struct crate_sum *added = NULL;

    if (id < sums->items.count)
        return &sums->items.items[id];
    added = vec_add(&sums->items);
    *added = (struct crate_sum){0};
    return added;
}

static void crate_sums_count(struct crate_sums *sums, const struct measured_function *function,
                             bool split_std)
{
    struct crate_sum *sum = crate_sums_of(sums, crate_row_name(function, split_std));

    sum->size_bytes += function->size_bytes;
    sum->inferred_bytes += function->crate_source == CRATE_INFERRED ? function->size_bytes : 0;
    sum->function_count += function->kind == MEASURED_FUNCTION;
}

static void add_crates(struct rows *rows, const struct crate_sums *sums)
{
    for (uint32_t id = 0; id < sums->items.count; id++) {
        union cell *cells = rows_add(rows);
        struct slice name = intern_text(&sums->names, id);

        cells[SIZE_COLUMN].number = sums->items.items[id].size_bytes;
        cells[CRATE_COLUMN].text = (struct slice){arena_copy(&rows->arena, name), name.length};
        cells[CRATE_COLUMN + 1].number = sums->items.items[id].function_count;
        cells[CRATE_COLUMN + 2].number = sums->items.items[id].inferred_bytes;
    }
}

static int fill_crates(const struct measurement *measurement, const struct bloatc_settings *settings,
                       const struct filter *filter, struct rows *rows, struct error *err)
{
    SCOPED(crate_sums_done) struct crate_sums sums = {0};

    rows->list_key = "crates";
    rows->noun = "crate";
    add_size_columns(rows, measurement, settings);
    rows_add_column(rows, (struct column){COLUMN_TEXT, "Crate", "name", 0, 0});
    rows_add_column(rows, (struct column){COLUMN_COUNT, NULL, "functions", 0, 0});
    rows_add_column(rows, (struct column){COLUMN_BYTES, NULL, "inferred-size", 0, 0});
    for (size_t i = 0; i < measurement->functions.count; i++) {
        int taken = filter_takes(filter, &measurement->functions.items[i], err);

        if (taken < 0)
            return -1;
        if (taken)
            crate_sums_count(&sums, &measurement->functions.items[i], settings->split_std);
    }
    add_crates(rows, &sums);
    return 0;
}

/* "section size, the file size is 2.7MiB", as cargo-bloat closes its tables. */
static void set_total_label(struct rows *rows, const struct measurement *measurement,
                            const struct bloatc_settings *settings)
{
    SCOPED(text_done) struct text label = {0};

    if (settings->filter)
        text_add_string(&label, "filtered data size, the file size is ");
    else
        text_format(&label, "%s section size, the file size is ", settings->section);
    units_add_bytes(&label, measurement->file_bytes);
    rows->total_label = arena_copy(&rows->arena, text_slice(&label));
}

int tables_fill(const struct measurement *measurement, const struct bloatc_settings *settings,
                struct rows *out, struct error *err)
{
    SCOPED(filter_done) struct filter filter = {0};
    int filled = 0;

    if (filter_make(measurement, settings, &filter, err) < 0)
        return -1;
    filled = settings->by_crate ? fill_crates(measurement, settings, &filter, out, err)
                                : fill_functions(measurement, settings, &filter, out, err);
    if (filled < 0)
        return -1;
    if (settings->filter && rows_count(out) == 0)
        return refuse_empty(measurement, settings->filter, err);
    rows_add_fact(out, "file-size", measurement->file_bytes);
    rows_add_fact(out, "text-section-size", measurement->section_bytes);
    set_total_label(out, measurement, settings);
    rows_sort(out, settings->sort_by_name ? (settings->by_crate ? CRATE_COLUMN : NAME_COLUMN) : SIZE_COLUMN);
    return 0;
}
