#include "tables/tables.h"

#include <inttypes.h>
#include <string.h>

#include "base/units.h"
#include "content/filter.h"
#include "rust/demangle.h"
#include "tables/columns.h"
#include "tables/data_tables.h"
#include "tables/group_tables.h"

/* The columns of the table of functions behind those of sizes. */
enum { CRATE_COLUMN, SOURCE_COLUMN, NAME_COLUMN, VERSION_COLUMN, SYMBOL_COLUMN, ALIASES_COLUMN };

/* The name with hashes, in the rows' arena. */
static struct slice full_name(struct rows *rows, const struct measured *function)
{
    SCOPED(symbol_done) struct symbol symbol = {0};
    SCOPED(text_done) struct text name = {0};

    demangle_add_name(&name, &symbol, function->symbol, DEMANGLE_FULL);
    return arena_slice(&rows->arena, text_slice(&name));
}

static void add_function(struct rows *rows, const struct measured *function,
                         const struct bloatc_settings *settings)
{
    struct slice crate = filter_shown_crate(function, settings->split_std);
    struct row_size size = {0};
    union cell *cells = NULL;

    row_size_add(&size, function);
    cells = columns_set_sizes(rows_add(rows), &size, settings);
    if (crate.length > 0)
        cells[CRATE_COLUMN].text = crate;
    cells[NAME_COLUMN].text = function->name;
    if (settings->full_names && function->kind == MEASURED_FUNCTION)
        cells[NAME_COLUMN].text = full_name(rows, function);
    cells[SOURCE_COLUMN].text = columns_source_name(function->crate_source);
    cells[VERSION_COLUMN].text = filter_shown_version(function, settings->split_std);
    if (function->symbol.length > 0)
        cells[SYMBOL_COLUMN].text = function->symbol;
    if (function->aliases.length > 0)
        cells[ALIASES_COLUMN].text = function->aliases;
}

static int fill_functions(const struct measurement *measurement, const struct bloatc_settings *settings,
                          const struct filter *filter, struct rows *rows, struct error *err)
{
    const struct measured *function = NULL;
    size_t at = 0;
    int taken = 0;

    rows->list_key = "functions";
    /* Sections of data hold no functions. */
    rows->noun = columns_noun(settings, strcmp(settings->section, ".text") == 0 ? "function" : "symbol");
    columns_add_sizes(rows, measurement, settings);
    rows_add_column(rows, (struct column){COLUMN_TEXT, "Crate", "crate", 0, 0});
    rows_add_column(
        rows, (struct column){COLUMN_WORD, settings->show_known ? "Known from" : NULL, "crate-source", 0, 0});
    rows_add_column(rows, (struct column){COLUMN_TEXT, "Name", "name", 0, 0});
    rows_add_column(rows, (struct column){COLUMN_TEXT, NULL, "crate-version", 0, 0});
    rows_add_column(rows, (struct column){COLUMN_TEXT, NULL, "symbol", 0, 0});
    rows_add_column(rows, (struct column){COLUMN_TEXT, NULL, "aliases", 0, 0});
    while ((taken = filter_next(filter, measurement, &at, &function, err)) > 0)
        add_function(rows, function, settings);
    return taken;
}

static int fill(const struct measurement *measurement, const struct bloatc_settings *settings,
                const struct filter *filter, struct rows *out, struct error *err)
{
    if (settings->instances)
        return instances_fill(measurement, settings, filter, out, err);
    switch (settings->by) {
    case BY_GENERIC:
        return generics_fill(measurement, settings, filter, out, err);
    case BY_CRATE:
        return crates_fill(measurement, settings, filter, out, err);
    case BY_MODULE:
        return modules_fill(measurement, settings, filter, out, err);
    case BY_FILE:
        return files_fill(measurement, settings, filter, out, err);
    case BY_LINE:
        return lines_fill(measurement, settings, filter, out, err);
    case BY_DATA:
        return data_fill(measurement, settings, filter, out, err);
    case BY_FUNCTION:
    case BY_SECTION:
        break;
    }
    return fill_functions(measurement, settings, filter, out, err);
}

/* "section size, the file size is 2.7MiB", as cargo-bloat closes its tables. */
static void set_total_label(struct rows *rows, const struct measurement *measurement,
                            const struct bloatc_settings *settings)
{
    SCOPED(text_done) struct text label = {0};

    if (settings->with_data && settings->by != BY_DATA && (settings->filter || settings->instances))
        text_add_string(&label, "filtered, with data, the file size is ");
    else if (settings->filter || settings->instances)
        text_add_string(&label, "filtered data size, the file size is ");
    else if (settings->by == BY_DATA)
        text_add_string(&label, "data, the file size is ");
    else if (settings->with_data)
        text_add_string(&label, "the whole file: ");
    else if (measurement->is_of_parts)
        text_format(&label, "%s and %s.* sections size, the file size is ", settings->section,
                    settings->section);
    else
        text_format(&label, "%s section size, the file size is ", settings->section);
    units_add_bytes(&label, measurement->file_bytes);
    rows->total_label = arena_copy(&rows->arena, text_slice(&label));
}

static void add_note(struct rows *rows, const char *note)
{
    *vec_add(&rows->notes) = note;
}

static bool is_inferred(const struct measured *measured)
{
    return measured->crate_source == CRATE_INFERRED;
}

static bool lacks_lines(const struct measured *measured)
{
    return measured->kind == MEASURED_FUNCTION && measured->crate_source != CRATE_FROM_LINE;
}

/* The bytes of those that the filter takes. */
static uint64_t sum_of(const struct measurement *measurement, const struct filter *filter,
                       bool (*is_meant)(const struct measured *measured))
{
    uint64_t bytes = 0;

    for (size_t i = 0; i < measurement->items.count; i++) {
        const struct measured *measured = &measurement->items.items[i];
        struct error ignored = {0};

        if (is_meant(measured) && filter_takes(filter, measured, &ignored) == 1)
            bytes += measured->size_bytes;
    }
    return bytes;
}

/* What of the rows is of crates that are inferred from names. */
static uint64_t sum_inferred(const struct measurement *measurement, const struct bloatc_settings *settings,
                             const struct filter *filter, const struct rows *rows)
{
    return settings->instances ? instances_inferred_bytes(rows, settings)
                               : sum_of(measurement, filter, is_inferred);
}

/* Whether there is debug information for most of it; not where it is std's alone, which brings its own along.
 */
static bool has_debug_info(const struct measurement *measurement, uint64_t inferred_bytes)
{
    return measurement->has_program_units && measurement->unit_bytes > inferred_bytes;
}

static bool is_anything(const struct measured *measured)
{
    (void)measured;
    return true;
}

/* Whether a build that infers less would change what is shown: C's main alone is inferred in most builds. */
static bool would_exact_help(const struct measurement *measurement, const struct filter *filter,
                             uint64_t inferred_bytes)
{
    enum { LEAST_PART = 1000 };

    return !has_debug_info(measurement, inferred_bytes) &&
           inferred_bytes >= sum_of(measurement, filter, is_anything) / LEAST_PART;
}

/* Of --attribute line: what then counts for the crate that defines the function. */
static void add_note_of_lines(const struct measurement *measurement, const struct filter *filter,
                              struct rows *rows)
{
    SCOPED(text_done) struct text note = {0};
    uint64_t bytes = sum_of(measurement, filter, lacks_lines);

    rows_add_fact(rows, "without-lines-size", bytes);
    if (bytes == 0)
        return;
    text_add_string(&note, "No lines tell the crates of ");
    units_add_bytes(&note, bytes);
    text_add_string(&note, ", which count for who defines the function");
    text_add_string(&note, measurement->has_program_units ? "." : ": --exact builds with line tables.");
    add_note(rows, arena_copy(&rows->arena, text_slice(&note)));
}

bool tables_tell_crates(const struct bloatc_settings *settings)
{
    return settings->by != BY_DATA && settings->by != BY_GENERIC && settings->by != BY_MODULE;
}

/* What of the result is not certain, below it. */
static void add_notes(const struct measurement *measurement, const struct bloatc_settings *settings,
                      const struct filter *filter, struct rows *rows)
{
    SCOPED(text_done) struct text note = {0};
    uint64_t inferred_bytes = sum_inferred(measurement, settings, filter, rows);

    rows_add_fact(rows, "inferred-size", inferred_bytes);
    if (settings->attribute == ATTRIBUTE_LINE)
        add_note_of_lines(measurement, filter, rows);
    if (inferred_bytes > 0 && tables_tell_crates(settings)) {
        text_add_string(&note, "The crates of ");
        units_add_bytes(&note, inferred_bytes);
        text_add_string(&note, " are inferred from names alone");
        if (crates_mark(rows, settings))
            text_add_string(&note, " (" CRATES_INFERRED_MARK ": more than half of the row)");
        text_add_string(&note, would_exact_help(measurement, filter, inferred_bytes)
                                   ? ": " CRATES_INFERRED_HINT "."
                                   : ".");
        add_note(rows, arena_copy(&rows->arena, text_slice(&note)));
    }
    if (settings->with_data)
        data_add_notes(measurement, settings->filter || settings->instances, rows);
    if (settings->instances && instances_have_legacy_names(rows, settings))
        add_note(rows, "Legacy names tell no type arguments; --exact builds with names that do.");
    if (measurement->damaged_count > 0)
        add_note(rows,
                 arena_format(&rows->arena,
                              "Damaged entries of its symbols or relocations are left out: %" PRIu64 ".",
                              measurement->damaged_count));
    if (measurement->problem.length > 0)
        add_note(rows, arena_copy(&rows->arena, text_slice(&measurement->problem)));
}

/* What has code may have no data. */
static int refuse_without_data(const struct bloatc_settings *settings, struct error *err)
{
    error_hint(err, "--crates --data shows which crates have some");
    return error_set(err, ERROR_MISSING,
                     "no data is that of a crate \"%s\" alone, and no name or function of data matches it",
                     settings->filter);
}

int tables_fill(const struct measurement *measurement, const struct bloatc_settings *settings,
                const struct filter *filter, struct rows *out, struct error *err)
{
    static const char *const gaps[] = {"[padding]", "[unnamed]", NULL};

    if (fill(measurement, settings, filter, out, err) < 0)
        return -1;
    /* With data all are rows. */
    out->apart = settings->with_data ? NULL : gaps;
    if (settings->filter && rows_count(out) == 0)
        return settings->by == BY_DATA ? refuse_without_data(settings, err)
                                       : filter_refuse_empty(measurement, settings->filter, err);
    rows_add_fact(out, "file-size", measurement->file_bytes);
    rows_add_fact(out, "text-section-size", measurement->section_bytes);
    rows_sort(out, settings->sort_by_name ? rows_label_column(out) : SIZE_COLUMN);
    add_notes(measurement, settings, filter, out);
    set_total_label(out, measurement, settings);
    return 0;
}
