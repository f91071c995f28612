#include "report/render.h"

#include "base/units.h"

const char *const render_format_names[] = {"table", "json", "csv", "markdown", NULL};

void render(struct text *text, const struct rows *rows, enum render_format format, struct render_look look)
{
    switch (format) {
    case RENDER_TABLE:
        render_table(text, rows, look);
        break;
    case RENDER_JSON:
        render_json(text, rows);
        break;
    case RENDER_CSV:
        render_csv(text, rows);
        break;
    case RENDER_MARKDOWN:
        render_markdown(text, rows);
        break;
    }
}

bool render_format_of_name(const char *path, enum render_format *format)
{
    static const struct {
        const char *ending;
        enum render_format format;
    } endings[] = {
        {".json", RENDER_JSON}, {".csv", RENDER_CSV}, {".md", RENDER_MARKDOWN}, {".txt", RENDER_TABLE}};

    /* That of a profile's stacks, which rows are none of. */
    if (slice_ends_with(slice_of(path), SLICE(".speedscope.json")))
        return false;
    for (size_t i = 0; i < ARRAY_COUNT(endings); i++)
        if (slice_ends_with(slice_of(path), slice_of(endings[i].ending))) {
            *format = endings[i].format;
            return true;
        }
    return false;
}

static void add_growth(struct text *text, const struct column *column, const union cell *row)
{
    uint64_t before = row[column->of_column].number;
    uint64_t after = row[column->of_column + 1].number;
    bool is_there = column->whole > 0 && slice_is(row[column->whole].text, "changed");

    if (before > 0 && (after > 0 || is_there))
        units_add_growth(text, before, after);
    else if (!is_there)
        text_add_string(text, before ? "gone" : after ? "new" : "");
}

static void add_change(struct text *text, enum column_kind kind, int64_t change)
{
    if (kind == COLUMN_BYTES_CHANGE || kind == COLUMN_INCLUSIVE_BYTES_CHANGE)
        units_add_bytes_change(text, change);
    else if (kind == COLUMN_TIME_CHANGE || kind == COLUMN_INCLUSIVE_TIME_CHANGE)
        units_add_time_change(text, change);
    else if (kind == COLUMN_PART_CHANGE || kind == COLUMN_INCLUSIVE_PART_CHANGE)
        units_add_part_change(text, change);
    else
        units_add_count_change(text, change);
}

struct slice render_name(const struct column *column, const union cell *row, size_t index)
{
    size_t shown = column->of_column;

    return shown > 0 && row[shown].text.length > 0 ? row[shown].text : row[index].text;
}

void render_cell(struct text *text, const struct column *column, const union cell *row, size_t index)
{
    uint64_t number = row[index].number;

    if (column_is_inclusive(column->kind) && number == ROWS_NO_SUM)
        return;
    switch (column->kind) {
    case COLUMN_TEXT:
        text_add(text, render_name(column, row, index));
        break;
    case COLUMN_WORD:
    case COLUMN_AMOUNT:
    case COLUMN_DECIMAL:
        text_add(text, row[index].text);
        break;
    case COLUMN_BYTES:
    case COLUMN_INCLUSIVE_BYTES:
        units_add_bytes(text, number);
        break;
    case COLUMN_COUNT:
    case COLUMN_INCLUSIVE:
    case COLUMN_RUNNING:
        units_add_count(text, number);
        break;
    case COLUMN_TIME:
    case COLUMN_INCLUSIVE_TIME:
        units_add_time(text, number);
        break;
    case COLUMN_PART:
    case COLUMN_INCLUSIVE_PART:
        units_add_part(text, number);
        break;
    case COLUMN_INCLUSIVE_POINTS:
        units_add_points(text, number);
        break;
    case COLUMN_SHARE:
        if (row[column->of_column].number != ROWS_NO_SUM)
            units_add_percent(text, row[column->of_column].number, column->whole);
        break;
    case COLUMN_GROWTH:
        if (row[column->of_column].number != ROWS_NO_SUM)
            add_growth(text, column, row);
        break;
    default:
        add_change(text, column->kind, (int64_t)number);
        break;
    }
}

/* ", 30 of them within noise", ", within noise" for all of them; the last `count` rows are left out. */
static void add_minor(struct text *text, const struct rows *rows, size_t count)
{
    bool is_cut = rows->related_label && rows_count(rows) - count < rows->minor_from;
    size_t minor = rows_count(rows) - (is_cut ? rows->related_from : rows->minor_from);

    if (!rows->minor_label || minor == 0)
        return;
    text_add_string(text, ", ");
    if (minor < count) {
        units_add_count(text, minor);
        text_add_string(text, " of them ");
    }
    text_add_string(text, is_cut ? rows->related_label : rows->minor_label);
}

/* Whether the row is none of what the others are called. */
static bool is_apart(const struct rows *rows, size_t row)
{
    struct slice label = rows_at(rows, row)[rows_label_column(rows)].text;

    for (const char *const *apart = rows->apart; apart && *apart; apart++)
        if (slice_is(label, *apart))
            return true;
    return false;
}

/* The last `count` rows: how many, and those apart by their names. */
static void add_count(struct text *text, const struct rows *rows, size_t count)
{
    SCOPED(text_done) struct text noun = {0};
    size_t first = rows_count(rows) - count;
    size_t apart = 0;
    size_t start = 0;

    for (size_t row = first; row < rows_count(rows); row++)
        apart += is_apart(rows, row);
    start = text->length;
    text_format(&noun, "more %s", rows->noun);
    if (apart < count)
        units_add_things(text, count - apart, text_string(&noun));
    for (size_t row = first; apart > 0; row++) {
        if (!is_apart(rows, row))
            continue;
        if (text->length > start)
            text_add_string(text, apart > 1 ? ", " : " and ");
        text_add(text, rows_at(rows, row)[rows_label_column(rows)].text);
        apart--;
    }
}

void render_left_out(struct text *text, const struct rows *rows, size_t count)
{
    text_add_string(text, "and ");
    add_count(text, rows, count);
    add_minor(text, rows, count);
}

void render_left_out_hint(struct text *text, const struct rows *rows, size_t count)
{
    render_left_out(text, rows, count);
    if (rows->how_to_see_all)
        text_format(text, "; %s", rows->how_to_see_all);
}
