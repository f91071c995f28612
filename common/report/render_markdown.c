#include "report/render.h"

#include <string.h>

#include "base/ascii.h"
#include "base/scan.h"
#include "report/cut.h"
#include "report/indent.h"

enum {
    /* What GitHub takes as one comment: characters there, bytes here, which are never fewer. */
    COMMENT_BYTES_MAX = 65536,
    /* Room for the row of sums, the row of what is left out and the tags around the fold. */
    CLOSING_BYTES = 4096,
    NAME_COLUMNS_MAX = 200,
    /* Of those that matter little, which none reads one by one. */
    MINOR_ROWS_MAX = 10,
};

/* What Markdown reads otherwise within a table: "|" ends a cell even in code (GitHub Flavored Markdown). */
enum surroundings { IN_TEXT, IN_TABLE };

/* The longest run of backticks: what encloses them has one more (CommonMark 0.31, "Code spans"). */
static size_t longest_ticks(struct slice name)
{
    size_t longest = 0;
    size_t run = 0;

    for (size_t i = 0; i < name.length; i++) {
        run = name.data[i] == '`' ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    return longest;
}

static void add_fence(struct text *text, size_t ticks)
{
    for (size_t i = 0; i < ticks; i++)
        text_add_byte(text, '`');
}

static void add_code(struct text *text, struct slice name, enum surroundings surroundings)
{
    SCOPED(text_done) struct text escaped = {0};
    struct slice clean = {0};
    size_t ticks = 0;

    if (name.length == 0)
        return;
    text_add_terminal(&escaped, name);
    clean = text_slice(&escaped);
    ticks = longest_ticks(clean);
    add_fence(text, ticks + 1);
    text_add_string(text, ticks > 0 ? " " : "");
    for (size_t i = 0; i < clean.length; i++) {
        if (clean.data[i] == '|' && surroundings == IN_TABLE)
            text_add_byte(text, '\\');
        text_add_byte(text, clean.data[i]);
    }
    text_add_string(text, ticks > 0 ? " " : "");
    add_fence(text, ticks + 1);
}

void render_code(struct text *text, struct slice name)
{
    add_code(text, name, IN_TEXT);
}

/* The name, with "..." for what goes beyond NAME_COLUMNS_MAX. */
static void add_short_code(struct text *text, struct slice name)
{
    SCOPED(text_done) struct text shortened = {0};

    cut_add(&shortened, name, NAME_COLUMNS_MAX);
    add_code(text, text_slice(&shortened), IN_TABLE);
}

static void add_indented_code(struct text *text, uint64_t level, struct slice name)
{
    SCOPED(text_done) struct text indented = {0};

    indent_add(&indented, INDENT_USUAL, level);
    text_add(&indented, name);
    add_code(text, text_slice(&indented), IN_TABLE);
}

/* Whether GitHub would mention somebody, "@name", or link an issue, "#12": no escape keeps it from that. */
static bool would_link(struct slice word)
{
    for (size_t i = 0; i + 1 < word.length; i++) {
        char next = word.data[i + 1];

        if (word.data[i] == '@' && ascii_is_alphanumeric(next) &&
            (i == 0 || !ascii_is_alphanumeric(word.data[i - 1])))
            return true;
        if (word.data[i] == '#' && ascii_is_digit(next))
            return true;
    }
    return false;
}

static void add_word(struct text *text, struct slice word, enum surroundings surroundings)
{
    const struct slice special = SLICE("\\`*|<[");
    SCOPED(text_done) struct text clean = {0};

    if (would_link(word)) {
        add_code(text, word, surroundings);
        return;
    }
    text_add_terminal(&clean, word);
    for (size_t i = 0; i < clean.length; i++) {
        if (slice_find_byte(special, clean.data[i]) < special.length)
            text_add_byte(text, '\\');
        text_add_byte(text, clean.data[i]);
    }
}

static void add_words(struct text *text, struct slice words, enum surroundings surroundings)
{
    struct slice rest = words;

    while (rest.length > 0) {
        size_t end = slice_find_byte(rest, ' ');

        add_word(text, slice_range(rest, 0, end), surroundings);
        text_add(text, slice_range(rest, end, end + 1));
        rest = slice_range(rest, end + 1, rest.length);
    }
}

void render_words(struct text *text, struct slice words)
{
    add_words(text, words, IN_TEXT);
}

static void add_row(struct text *text, const struct rows *rows, const union cell *row)
{
    for (size_t i = 0; i < rows->column_count; i++) {
        if (!rows->columns[i].title)
            continue;
        text_add_string(text, "| ");
        if (rows->columns[i].kind == COLUMN_TEXT && rows->headline)
            add_short_code(text, render_name(&rows->columns[i], row, i));
        else if (rows->columns[i].kind == COLUMN_TEXT)
            add_indented_code(text, i == rows_label_column(rows) ? rows_level(rows, row) : 0,
                              render_name(&rows->columns[i], row, i));
        else if (column_is_text(rows->columns[i].kind))
            add_words(text, row[i].text, IN_TABLE);
        else
            render_cell(text, &rows->columns[i], row, i);
        text_add_byte(text, ' ');
    }
    text_add_string(text, "|\n");
}

static void add_label(struct text *text, struct slice label)
{
    text_add_byte(text, '*');
    add_words(text, label, IN_TABLE);
    text_add_byte(text, '*');
}

static void add_sums(struct text *text, const struct rows *rows, const union cell *sums, struct slice label)
{
    for (size_t i = 0; i < rows->column_count; i++) {
        if (!rows->columns[i].title)
            continue;
        text_add_string(text, "| ");
        if (i == rows_label_column(rows))
            add_label(text, label);
        else if (!column_is_text(rows->columns[i].kind))
            render_cell(text, &rows->columns[i], sums, i);
        text_add_byte(text, ' ');
    }
    text_add_string(text, "|\n");
}

static void add_total(struct text *text, const struct rows *rows)
{
    union cell sums[ROWS_COLUMNS_MAX];

    rows_total(rows, sums);
    add_sums(text, rows, sums, slice_of(rows->total_label));
}

static void add_left_out(struct text *text, const struct rows *rows, size_t first)
{
    union cell sums[ROWS_COLUMNS_MAX];
    SCOPED(text_done) struct text label = {0};

    rows_sums(rows, first, sums);
    if (rows->headline && !rows->adds_up_rest)
        render_left_out(&label, rows, rows_count(rows) - first);
    else
        render_left_out_hint(&label, rows, rows_count(rows) - first);
    add_sums(text, rows, sums, text_slice(&label));
}

static void add_headings(struct text *text, const struct rows *rows)
{
    for (size_t i = 0; i < rows->column_count; i++)
        if (rows->columns[i].title)
            text_format(text, "| %s ", rows->columns[i].title);
    text_add_string(text, "|\n");
    for (size_t i = 0; i < rows->column_count; i++)
        if (rows->columns[i].title)
            text_add_string(text, column_is_string(rows->columns[i].kind) ? "|:---" : "|---:");
    text_add_string(text, "|\n");
}

static void add_note(struct text *text, const char *note)
{
    struct scan lines = scan_of(slice_of(note));
    struct slice line;

    text_add_byte(text, '\n');
    while (scan_line(&lines, &line)) {
        render_words(text, line);
        text_add_byte(text, '\n');
    }
}

/* Of marks, too: a row that is folded may have the only one. */
static void add_notes(struct text *text, const struct rows *rows)
{
    for (size_t i = 0; i < rows->notes.count; i++)
        add_note(text, rows->notes.items[i]);
    if (rows->mark_column)
        add_note(text, rows->mark_notes[1]);
}

static void add_table(struct text *text, const struct rows *rows)
{
    size_t shown = rows_shown(rows);

    add_headings(text, rows);
    if (rows->total_first)
        add_total(text, rows);
    for (size_t row = 0; row < shown; row++)
        add_row(text, rows, rows_at(rows, row));
    if (shown < rows_count(rows))
        add_left_out(text, rows, shown);
    if (!rows->total_first && rows->total_label)
        add_total(text, rows);
    add_notes(text, rows);
}

/* Rows from `first` up to `end` as long as the text stays within `room`; which one comes next. */
static size_t add_rows_within(struct text *text, const struct rows *rows, size_t first, size_t end,
                              size_t room)
{
    for (size_t row = first; row < end; row++) {
        size_t length = text->length;

        add_row(text, rows, rows_at(rows, row));
        if (text->length > room) {
            text->length = length;
            return row;
        }
    }
    return end;
}

/* The end of the rows that a fold from `first` on has. */
static size_t fold_end(const struct rows *rows, size_t first)
{
    size_t minor_from = rows->minor_label && rows->minor_from > first ? rows->minor_from : first;
    size_t count = rows_count(rows);

    return rows->minor_label && count - minor_from > MINOR_ROWS_MAX ? minor_from + MINOR_ROWS_MAX : count;
}

/* The rows from `first` on, behind a line that opens them. */
static void add_fold(struct text *text, const struct rows *rows, size_t first, size_t room)
{
    size_t next = 0;

    text_add_string(text, "\n<details><summary>");
    render_left_out(text, rows, rows_count(rows) - first);
    text_add_string(text, "</summary>\n\n");
    add_headings(text, rows);
    next = add_rows_within(text, rows, first, fold_end(rows, first), room);
    if (next < rows_count(rows))
        add_left_out(text, rows, next);
    text_add_string(text, "\n</details>\n");
}

/* As GitHub shows a warning; elsewhere it is a quotation. */
static void add_warnings(struct text *text, const struct warnings *warnings)
{
    for (size_t i = 0; i < warnings->items.count; i++) {
        text_add_string(text, i == 0 ? "> [!WARNING]\n> " : ">\n> ");
        render_words(text, slice_of(warnings->items.items[i]));
        text_add_byte(text, '\n');
    }
}

static bool has_warnings(const struct rows *rows)
{
    return rows->warnings && rows->warnings->items.count > 0;
}

/* The sentence, the first rows, the others folded as far as they fit before `end`. */
static void add_told(struct text *text, const struct rows *rows, size_t end)
{
    size_t next = 0;

    text_format(text, "%s\n", rows->headline);
    if (has_warnings(rows)) {
        text_add_byte(text, '\n');
        add_warnings(text, rows->warnings);
    }
    if (rows_count(rows) > 0) {
        text_add_byte(text, '\n');
        add_headings(text, rows);
        next = add_rows_within(text, rows, 0, rows_shown(rows), end - CLOSING_BYTES);
        if (rows->adds_up_rest && next < rows_count(rows))
            add_left_out(text, rows, next);
        if (rows->total_label)
            add_total(text, rows);
    }
    if (rows->tells_notes)
        add_notes(text, rows);
    if (next < rows_count(rows) && !rows->adds_up_rest)
        add_fold(text, rows, next, end);
}

/* One comment of a pull request. What stands beside the result is left out where there is no room for it. */
static void add_comment(struct text *text, const struct rows *rows)
{
    size_t end = text->length + COMMENT_BYTES_MAX - CLOSING_BYTES;

    add_told(text, rows, end);
    for (rows = rows->beside; rows; rows = rows->beside) {
        if (!rows->headline || text->length + strlen(rows->headline) + 2 * CLOSING_BYTES > end)
            continue;
        text_add_byte(text, '\n');
        add_told(text, rows, end);
    }
}

void render_markdown(struct text *text, const struct rows *rows)
{
    if (rows->headline) {
        add_comment(text, rows);
        return;
    }
    if (has_warnings(rows)) {
        add_warnings(text, rows->warnings);
        text_add_byte(text, '\n');
    }
    add_table(text, rows);
    for (rows = rows->beside; rows; rows = rows->beside) {
        if (rows_count(rows) <= 1 || rows->is_for_programs)
            continue;
        text_add_byte(text, '\n');
        add_table(text, rows);
    }
}
