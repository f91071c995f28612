#include "base/intern.h"
#include "columns.h"
#include "group_tables.h"

/* The columns behind the size. */
enum { CRATE_COLUMN = SIZE_COLUMN + 1, SHOWN_COLUMN, FILE_COLUMN, LINE_COLUMN };

/* One file, or one line of it. */
struct place {
    struct slice crate;
    struct slice file; /* empty: not known */
    struct slice gap;  /* what it is called when it is no code; else empty */
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

static void source_places_count(struct source_places *places, const struct measured *measured,
                                struct slice crate)
{
    bool is_gap = measured->kind != MEASURED_FUNCTION;
    uint32_t id = 0;

    text_clear(&places->key);
    text_format(&places->key, "%u:%d:%.*s:", measured->line, is_gap, SLICE_ARGUMENTS(measured->file));
    text_add(&places->key, is_gap ? measured->name : crate);
    id = intern_add(&places->keys, text_slice(&places->key));
    if (id == places->items.count)
        *vec_add(&places->items) = (struct place){
            .crate = crate,
            .file = measured->file,
            .gap = is_gap ? measured->name : (struct slice){0},
            .line = measured->line,
        };
    places->items.items[id].size_bytes += measured->size_bytes;
}

static struct slice shown(struct rows *rows, const struct place *place)
{
    if (place->gap.length > 0)
        return place->gap;
    if (place->file.length == 0)
        return SLICE("[no line information]");
    if (place->line == 0)
        return place->file;
    return slice_of(arena_format(&rows->arena, "%.*s:%u", SLICE_ARGUMENTS(place->file), place->line));
}

static void add_place(struct rows *rows, const struct place *place)
{
    union cell *cells = rows_add(rows);

    cells[SIZE_COLUMN].number = place->size_bytes;
    if (place->crate.length > 0)
        cells[CRATE_COLUMN].text = place->crate;
    cells[SHOWN_COLUMN].text = shown(rows, place);
    if (place->file.length > 0)
        cells[FILE_COLUMN].text = place->file;
    if (rows->column_count > LINE_COLUMN)
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
        source_places_count(&places, measured, filter_shown_crate(measured, settings->split_std));
    for (size_t i = 0; i < places.items.count; i++)
        add_place(rows, &places.items.items[i]);
    return taken;
}

static void add_columns(struct rows *rows, const struct measurement *measurement,
                        const struct bloatc_settings *settings, const char *title)
{
    columns_add_sizes(rows, measurement, settings);
    rows_add_column(rows, (struct column){COLUMN_TEXT, "Crate", "crate", 0, 0});
    rows_add_column(rows, (struct column){COLUMN_TEXT, title, NULL, 0, 0});
    rows_add_column(rows, (struct column){COLUMN_TEXT, NULL, "file", 0, 0});
}

int files_fill(const struct measurement *measurement, const struct bloatc_settings *settings,
               const struct filter *filter, struct rows *rows, struct error *err)
{
    rows->list_key = "files";
    rows->noun = "file";
    add_columns(rows, measurement, settings, "File");
    return fill(measurement, settings, filter, rows, err);
}

int lines_fill(const struct measurement *measurement, const struct bloatc_settings *settings,
               const struct filter *filter, struct rows *rows, struct error *err)
{
    rows->list_key = "lines";
    rows->noun = "line";
    add_columns(rows, measurement, settings, "Line");
    rows_add_column(rows, (struct column){COLUMN_INCLUSIVE, NULL, "line", 0, 0});
    return fill(measurement, settings, filter, rows, err);
}
