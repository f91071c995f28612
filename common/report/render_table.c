#include "report/render.h"

#include "base/scan.h"
#include "report/cut.h"
#include "report/indent.h"

enum { LEAST_NAME_COLUMNS = 20 };

/* The cells of a printed table as texts, escaped, with the width each column needs. */
struct sheet {
    VEC(struct slice) cells; /* line after line, in the arena */
    VEC(size_t) indexes;     /* the columns of the rows that are printed */
    size_t widths[ROWS_COLUMNS_MAX];
    struct indent indent;       /* of names, which are the last cells of rows */
    VEC(struct cut_name) names; /* of the rows shown */
    struct text scratch;
    struct arena arena;
};

static void sheet_done(struct sheet *sheet)
{
    vec_done(&sheet->cells);
    vec_done(&sheet->indexes);
    vec_done(&sheet->names);
    text_done(&sheet->scratch);
    arena_done(&sheet->arena);
}

static void sheet_add(struct sheet *sheet, struct slice cell)
{
    size_t place = sheet->cells.count % sheet->indexes.count;
    size_t width = 0;

    text_clear(&sheet->scratch);
    text_add_terminal(&sheet->scratch, cell);
    *vec_add(&sheet->cells) = arena_slice(&sheet->arena, text_slice(&sheet->scratch));
    width = text_columns(text_slice(&sheet->scratch));
    if (width > sheet->widths[place])
        sheet->widths[place] = width;
}

static void sheet_add_row(struct sheet *sheet, const struct rows *rows, const union cell *row)
{
    SCOPED(text_done) struct text cell = {0};

    for (size_t i = 0; i < sheet->indexes.count; i++) {
        size_t index = sheet->indexes.items[i];

        text_clear(&cell);
        render_cell(&cell, &rows->columns[index], row, index);
        sheet_add(sheet, text_slice(&cell));
    }
}

/* A row of sums, with `label` beside them. */
static void sheet_add_sums(struct sheet *sheet, const struct rows *rows, union cell *sums, struct slice label)
{
    size_t place = rows_label_column(rows);

    if (rows->columns[place].kind == COLUMN_TEXT)
        sums[place].text = label;
    sheet_add_row(sheet, rows, sums);
}

static void sheet_add_total(struct sheet *sheet, const struct rows *rows)
{
    union cell sums[ROWS_COLUMNS_MAX];

    rows_total(rows, sums);
    sheet_add_sums(sheet, rows, sums, slice_of(rows->total_label));
}

static void sheet_add_left_out(struct sheet *sheet, const struct rows *rows)
{
    union cell sums[ROWS_COLUMNS_MAX];
    SCOPED(text_done) struct text label = {0};

    rows_sums(rows, rows_shown(rows), sums);
    render_left_out_hint(&label, rows, rows_count(rows) - rows_shown(rows));
    sheet_add_sums(sheet, rows, sums, text_slice(&label));
}

/* Whether a mark is to be seen, and so to be explained. */
static bool has_marks(const struct rows *rows)
{
    for (size_t row = 0; rows->mark_column && row < rows_shown(rows); row++)
        if (rows_at(rows, row)[rows->mark_column].text.length > 0)
            return true;
    return false;
}

static void fill_sheet(struct sheet *sheet, const struct rows *rows)
{
    size_t shown = rows_shown(rows);
    size_t unmarked = has_marks(rows) ? 0 : rows->mark_column;

    for (size_t i = 0; i < rows->column_count; i++)
        if (rows->columns[i].title && (unmarked == 0 || i != unmarked))
            *vec_add(&sheet->indexes) = i;
    if (sheet->indexes.count == 0)
        return;
    for (size_t i = 0; i < sheet->indexes.count; i++)
        sheet_add(sheet, slice_of(rows->columns[sheet->indexes.items[i]].title));
    if (rows->total_first)
        sheet_add_total(sheet, rows);
    for (size_t row = 0; row < shown; row++)
        sheet_add_row(sheet, rows, rows_at(rows, row));
    if (shown < rows_count(rows))
        sheet_add_left_out(sheet, rows);
    if (!rows->total_first && rows->total_label)
        sheet_add_total(sheet, rows);
}

/* The cell of a row that is shown. */
static struct slice *row_cell(const struct sheet *sheet, const struct rows *rows, size_t row, size_t place)
{
    size_t line = row + (rows->total_first ? 2 : 1);

    return &sheet->cells.items[line * sheet->indexes.count + place];
}

static bool is_name(const struct sheet *sheet, const struct rows *rows, size_t place)
{
    return rows->columns[sheet->indexes.items[place]].kind == COLUMN_TEXT;
}

/* What names take in this column, in the last one without what sums stand for. */
static size_t names_width(const struct sheet *sheet, const struct rows *rows, size_t place)
{
    size_t widest = text_columns(sheet->cells.items[place]);

    if (place + 1 < sheet->indexes.count)
        return sheet->widths[place];
    for (size_t row = 0; row < rows_shown(rows); row++) {
        size_t width = text_columns(*row_cell(sheet, rows, row, place));

        widest = width > widest ? width : widest;
    }
    return widest;
}

/*
 * What each column of names may take where a line has not room for all: those that need less than their
 * part leave the rest to the others.
 */
static size_t even_part(const struct sheet *sheet, const struct rows *rows, size_t columns)
{
    size_t part = 0;

    for (;;) {
        size_t used = sheet->indexes.count - 1;
        size_t wider_count = 0;
        size_t next = 0;

        for (size_t place = 0; place < sheet->indexes.count; place++) {
            size_t width = names_width(sheet, rows, place);
            bool is_wider = is_name(sheet, rows, place) && width > part;

            wider_count += is_wider;
            used += is_wider ? 0 : width;
        }
        if (wider_count == 0)
            return SIZE_MAX;
        next = columns > used ? (columns - used) / wider_count : 0;
        if (next <= part)
            return part;
        part = next;
    }
}

static void cut_column(struct sheet *sheet, const struct rows *rows, size_t place, size_t columns)
{
    size_t heading = text_columns(sheet->cells.items[place]);

    columns = columns > heading ? columns : heading;
    sheet->names.count = 0;
    for (size_t row = 0; row < rows_shown(rows); row++)
        *vec_add(&sheet->names) =
            (struct cut_name){.name = *row_cell(sheet, rows, row, place), .columns = columns};
    cut_names(&sheet->arena, sheet->names.items, sheet->names.count);
    for (size_t row = 0; row < rows_shown(rows); row++)
        *row_cell(sheet, rows, row, place) = sheet->names.items[row].cut;
    sheet->widths[place] = columns;
}

/* Cuts names before the last column, too, where they leave that one too little. */
static void fit_columns(struct sheet *sheet, const struct rows *rows, size_t columns)
{
    size_t part = columns ? even_part(sheet, rows, columns) : SIZE_MAX;

    if (part < LEAST_NAME_COLUMNS)
        part = LEAST_NAME_COLUMNS;
    for (size_t place = 0; place + 1 < sheet->indexes.count; place++)
        if (is_name(sheet, rows, place) && sheet->widths[place] > part)
            cut_column(sheet, rows, place, part);
}

/* The columns that are left of a line for its last cell. */
static size_t name_columns(const struct sheet *sheet, struct render_look look)
{
    size_t used = 0;

    for (size_t i = 0; i + 1 < sheet->indexes.count; i++)
        used += sheet->widths[i] + 1;
    if (look.columns == 0)
        return SIZE_MAX;
    return look.columns > used + LEAST_NAME_COLUMNS ? look.columns - used : LEAST_NAME_COLUMNS;
}

static uint64_t level_of(const struct rows *rows, size_t row)
{
    return rows_level(rows, rows_at(rows, row));
}

static struct slice name_of(const struct sheet *sheet, const struct rows *rows, size_t row)
{
    return *row_cell(sheet, rows, row, sheet->indexes.count - 1);
}

/* Indents less where a line would go beyond the columns: a third of them at most. */
static void fit_indent(struct sheet *sheet, const struct rows *rows, size_t columns)
{
    size_t most = columns / 3 < columns - LEAST_NAME_COLUMNS ? columns / 3 : columns - LEAST_NAME_COLUMNS;
    uint64_t deepest = 0;
    bool all_fit = true;

    for (size_t row = 0; row < rows_shown(rows); row++) {
        uint64_t level = level_of(rows, row);

        deepest = level > deepest ? level : deepest;
        all_fit = all_fit &&
                  indent_columns(sheet->indent, level) + text_columns(name_of(sheet, rows, row)) <= columns;
    }
    if (!all_fit)
        sheet->indent = indent_within(deepest, most);
}

/* Cuts the names of rows that go beyond the columns with what they are indented by. */
static void fit_names(struct sheet *sheet, const struct rows *rows, size_t columns)
{
    enum { LEAST_COLUMNS = 7 };

    sheet->names.count = 0;
    if (rows->level_column)
        fit_indent(sheet, rows, columns);
    for (size_t row = 0; row < rows_shown(rows); row++) {
        size_t indent = indent_columns(sheet->indent, level_of(rows, row));

        *vec_add(&sheet->names) = (struct cut_name){
            .name = name_of(sheet, rows, row),
            .columns = columns > indent + LEAST_COLUMNS ? columns - indent : LEAST_COLUMNS,
        };
    }
    if (rows->are_lines)
        cut_lines(&sheet->arena, sheet->names.items, sheet->names.count);
    else
        cut_names(&sheet->arena, sheet->names.items, sheet->names.count);
}

/* All but the last cell. */
static void add_cells(struct text *text, const struct sheet *sheet, size_t line)
{
    size_t count = sheet->indexes.count;

    for (size_t i = 0; i + 1 < count; i++) {
        struct slice cell = sheet->cells.items[line * count + i];

        text_add_repeated(text, ' ', sheet->widths[i] - text_columns(cell));
        text_add(text, cell);
        text_add_byte(text, ' ');
    }
}

/* A line that is no row: a heading, or sums with what they stand for, which is never cut. */
static void add_line(struct text *text, const struct sheet *sheet, size_t line, const char *color)
{
    text_add_string(text, color);
    add_cells(text, sheet, line);
    text_add(text, sheet->cells.items[(line + 1) * sheet->indexes.count - 1]);
    text_add_string(text, *color ? "\033[0m\n" : "\n");
}

static void add_note(struct text *text, struct slice note)
{
    struct scan scan = scan_of(note);
    struct slice line;

    text_add_byte(text, '\n');
    while (scan_line(&scan, &line)) {
        text_add_terminal(text, line);
        text_add_byte(text, '\n');
    }
}

static void add_rows(struct text *text, const struct sheet *sheet, size_t line, const struct rows *rows,
                     bool has_color)
{
    static const char *const colors[] = {
        [ROW_HEADING] = "\033[1m", [ROW_HOT] = "\033[31m", [ROW_FAINT] = "\033[2m"};

    for (size_t row = 0; row < rows_shown(rows); row++) {
        const char *color = has_color ? colors[rows_look(rows, row)] : NULL;

        text_add_string(text, color ? color : "");
        add_cells(text, sheet, line + row);
        indent_add(text, sheet->indent, level_of(rows, row));
        text_add(text, sheet->names.items[row].cut);
        text_add_string(text, color ? "\033[0m\n" : "\n");
    }
}

static void add_sheet(struct text *text, const struct rows *rows, struct render_look look)
{
    SCOPED(sheet_done) struct sheet sheet = {.indent = INDENT_USUAL};
    size_t line = 0;
    size_t lines = 0;

    fill_sheet(&sheet, rows);
    if (sheet.indexes.count == 0)
        return;
    fit_columns(&sheet, rows, look.columns);
    fit_names(&sheet, rows, name_columns(&sheet, look));
    lines = sheet.cells.count / sheet.indexes.count;
    add_line(text, &sheet, line++, look.has_color ? "\033[1m" : "");
    if (rows->total_first)
        add_line(text, &sheet, line++, look.has_color ? "\033[2m" : "");
    add_rows(text, &sheet, line, rows, look.has_color);
    for (line += rows_shown(rows); line < lines; line++)
        add_line(text, &sheet, line, look.has_color ? "\033[2m" : "");
    for (size_t i = 0; i < rows->notes.count; i++)
        add_note(text, slice_of(rows->notes.items[i]));
    if (rows->mark_column)
        add_note(text, slice_of(rows->mark_notes[has_marks(rows)]));
}

void render_table(struct text *text, const struct rows *rows, struct render_look look)
{
    add_sheet(text, rows, look);
    for (rows = rows->beside; rows; rows = rows->beside) {
        if ((rows_count(rows) <= 1 && !rows->headline) || rows->is_for_programs)
            continue;
        text_add_byte(text, '\n');
        add_sheet(text, rows, look);
    }
}
