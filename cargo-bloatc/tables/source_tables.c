#include "base/intern.h"
#include "tables/columns.h"
#include "tables/group_tables.h"

/* The columns behind the size; the last two are of lines alone. */
enum { CRATE_COLUMN = SIZE_COLUMN + 1, SHOWN_COLUMN, VERSION_COLUMN, FILE_COLUMN, LINE_COLUMN };

/* One file, or one line of it. */
struct place {
    struct slice crate;
    struct slice version; /* of the crate; without data where it is not known */
    struct slice file;    /* or what it is called when it has none: "[padding]" */
    uint32_t line;
    uint64_t size_bytes;
};

/* Zero-initialised is empty. */
struct source_places {
    struct intern keys;
    VEC(struct place) items; /* by the key's id */
    struct text key;
};

static void source_places_done(struct source_places *places)
{
    intern_done(&places->keys);
    vec_done(&places->items);
    text_done(&places->key);
}

static struct slice file_of(const struct measured *measured)
{
    if (measured->kind != MEASURED_FUNCTION)
        return measured->name;
    return measured->file.length > 0 ? measured->file : SLICE("[no line information]");
}

static void source_places_count(struct source_places *places, const struct measured *measured,
                                const struct bloatc_settings *settings)
{
    struct slice crate = filter_shown_crate(measured, settings->split_std);
    struct slice version = filter_shown_version(measured, settings->split_std);
    struct place place = {crate, version, file_of(measured), measured->line, 0};
    uint32_t id = 0;

    text_clear(&places->key);
    text_format(&places->key, "%u:%.*s:", place.line, SLICE_ARGUMENTS(place.file));
    text_add(&places->key, crate);
    id = intern_add(&places->keys, text_slice(&places->key));
    if (id == places->items.count)
        *vec_add(&places->items) = place;
    places->items.items[id].size_bytes += measured->size_bytes;
}

static void add_place(struct rows *rows, const struct place *place)
{
    union cell *cells = rows_add(rows);

    cells[SIZE_COLUMN].number = place->size_bytes;
    if (place->crate.length > 0)
        cells[CRATE_COLUMN].text = place->crate;
    cells[SHOWN_COLUMN].text = place->file;
    cells[VERSION_COLUMN].text = place->version;
    if (rows->column_count <= LINE_COLUMN)
        return;
    if (place->line > 0)
        cells[SHOWN_COLUMN].text =
            slice_of(arena_format(&rows->arena, "%.*s:%u", SLICE_ARGUMENTS(place->file), place->line));
    cells[FILE_COLUMN].text = place->file;
    cells[LINE_COLUMN].number = place->line;
}

static int fill(const struct measurement *measurement, const struct bloatc_settings *settings,
                const struct filter *filter, struct rows *rows, struct error *err)
{
    SCOPED(source_places_done) struct source_places places = {0};
    const struct measured *measured = NULL;
    size_t at = 0;
    int taken = 0;

    while ((taken = filter_next(filter, measurement, &at, &measured, err)) > 0)
        source_places_count(&places, measured, settings);
    for (size_t i = 0; i < places.items.count; i++)
        add_place(rows, &places.items.items[i]);
    return taken;
}

int files_fill(const struct measurement *measurement, const struct bloatc_settings *settings,
               const struct filter *filter, struct rows *rows, struct error *err)
{
    rows->list_key = "files";
    rows->noun = "file";
    columns_add_sizes(rows, measurement, settings);
    rows_add_column(rows, (struct column){COLUMN_TEXT, "Crate", "crate", 0, 0});
    rows_add_column(rows, (struct column){COLUMN_TEXT, "File", "file", 0, 0});
    rows_add_column(rows, (struct column){COLUMN_TEXT, NULL, "crate-version", 0, 0});
    return fill(measurement, settings, filter, rows, err);
}

int lines_fill(const struct measurement *measurement, const struct bloatc_settings *settings,
               const struct filter *filter, struct rows *rows, struct error *err)
{
    rows->list_key = "lines";
    rows->noun = "line";
    columns_add_sizes(rows, measurement, settings);
    rows_add_column(rows, (struct column){COLUMN_TEXT, "Crate", "crate", 0, 0});
    rows_add_column(rows, (struct column){COLUMN_TEXT, "Line", "place", 0, 0});
    rows_add_column(rows, (struct column){COLUMN_TEXT, NULL, "crate-version", 0, 0});
    rows_add_column(rows, (struct column){COLUMN_TEXT, NULL, "file", 0, 0});
    rows_add_column(rows, (struct column){COLUMN_INCLUSIVE, NULL, "line", 0, 0});
    return fill(measurement, settings, filter, rows, err);
}
