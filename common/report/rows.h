/*
 * A flat result of any of the tools: columns, rows of cells, what they add up to. Every
 * output, the table, JSON, CSV, Markdown, is made from this one struct.
 */
#ifndef REPORT_ROWS_H
#define REPORT_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/vec.h"
#include "report/column.h"
#include "report/warnings.h"

/* A number or a text, by its column's kind. A text without data is "not known". */
union cell {
    uint64_t number;
    struct slice text; /* borrowed, or in the rows' arena */
};

/* A figure about the whole result, for programs. */
struct rows_fact {
    const char *key;
    uint64_t number;
    bool is_change; /* `number` is an int64_t */
};

/* Something about the result that is told in words, for programs. */
struct rows_label {
    const char *key;
    struct slice text;
};

#define ROWS_NO_SUM UINT64_MAX /* in place of a sum, of a column that has none */

enum { ROWS_COLUMNS_MAX = 40, ROWS_FACTS_MAX = 24, ROWS_LABELS_MAX = 16 };

/* How a row stands out on a terminal with colours. */
enum row_look { ROW_PLAIN, ROW_HEADING, ROW_HOT, ROW_FAINT };

/* Zero-initialised is empty; the strings that are not slices are constants. */
struct rows {
    struct arena arena;
    struct column columns[ROWS_COLUMNS_MAX];
    size_t column_count;
    size_t level_column;   /* says how far in a row's last text stands: its level; 0: none does */
    VEC(union cell) cells; /* row after row, column_count each */
    VEC(uint8_t) looks;    /* by row its row_look; those past the end are plain. Sorting does not move them */
    const char *list_key;  /* what JSON calls the list of rows: "functions" */
    const char *noun;      /* what people call one of them: "function" */
    /* Labels of rows that are none of these, "[padding]", with a NULL behind them; NULL: there are none. */
    const char *const *apart;
    const char *total_label; /* what stands beside the sums; owned by the arena; NULL: no line of sums */
    struct rows_fact facts[ROWS_FACTS_MAX];
    size_t fact_count;
    const char *labels_key; /* what JSON calls the object of the labels: "build" */
    struct rows_label labels[ROWS_LABELS_MAX];
    size_t label_count;
    const char *asked;  /* options that decide what the rows are, as typed, for programs, in the arena; NULL:
                           not  told */
    const char *filter; /* what is wanted of the rows alone, for programs; NULL: all */
    const char *headline; /* one sentence with the figure, above Markdown, in the arena; NULL: none. The rows
                             that a table does not show are then folded below it */
    VEC(const char *) notes; /* paragraphs below the table, in the arena; "\n" begins another line */
    bool are_lines;          /* of code, of which a narrow table has the beginning; else names */
    bool adds_up_rest;       /* these are one row of sums instead, as without a headline */
    bool tells_notes;   /* also in Markdown below a headline, which has room for few words; else they are left
                           out there */
    size_t mark_column; /* untitled; a table has it where rows that are shown have a mark; 0: none */
    const char *mark_notes[2];       /* the last note, likewise in the arena: without a mark, and with one */
    const struct warnings *warnings; /* for programs, and above Markdown; borrowed; NULL: none */
    size_t limit;                    /* how many rows are shown; 0: all */
    const char *minor_label;         /* "within noise": of rows that matter little; NULL: there are none */
    size_t minor_from;               /* the first of them: they come last */
    bool is_brief;                   /* they are not shown */
    const char *related_label;  /* "within noise or changed by what they call": of those, and of rows just
                                   before  them that the limit leaves out; NULL: there are no such rows */
    size_t related_from;        /* the first of these */
    const char *how_to_see_all; /* "-n 0 shows all", told with the rows left out; NULL: nothing is */
    const union cell *total;    /* the row of sums when the rows are not all there is; NULL: their sums */
    bool total_first;           /* it stands above the rows */
    struct rows *beside;        /* another list that belongs to the result, or NULL. CSV leaves it out; people
                                   are not shown a single row without a headline, which says no more than the
                                   total */
    struct rows *unlimited;     /* the same result without what is too small for people, which programs get;
                                   NULL: nothing is */
    bool is_for_programs;       /* of what stands beside: JSON alone has it */
};

void rows_done(struct rows *rows);

/* Adds a column at the right. At most ROWS_COLUMNS_MAX, before the first row. */
void rows_add_column(struct rows *rows, struct column column);

/* A new last row: its column_count cells, zeroed, valid until the next one is added. */
union cell *rows_add(struct rows *rows);

/* At most ROWS_FACTS_MAX and ROWS_LABELS_MAX of them; strings as of the struct. */
void rows_add_fact(struct rows *rows, const char *key, uint64_t number);
void rows_add_change(struct rows *rows, const char *key, int64_t number);
void rows_add_label(struct rows *rows, const char *key, struct slice text);

/* The number of the fact with this key. False when there is none. */
bool rows_find_fact(const struct rows *rows, const char *key, uint64_t *number);

/* Of the row that was added last. */
void rows_set_look(struct rows *rows, enum row_look look);

enum row_look rows_look(const struct rows *rows, size_t row);

size_t rows_count(const struct rows *rows);

/*
 * Writes what is no UTF-8 in the texts of rows as \xNN, as it reads in a table: JSON cannot hold it, and a
 * result that was saved is to have the names that it has when it is measured again.
 */
void rows_make_utf8(struct rows *rows);

/* How many rows are shown, the limit and what matters little considered. */
size_t rows_shown(const struct rows *rows);

const union cell *rows_at(const struct rows *rows, size_t row);

/*
 * What the rows from `first` on add up to, as a row: `out` gets column_count cells, of which those of
 * texts are empty and those of columns without a sum ROWS_NO_SUM. A running count is that of the last row.
 */
void rows_sums(const struct rows *rows, size_t first, union cell *out);

/* What stands in the row of sums: rows->total, else what all rows add up to. */
void rows_total(const struct rows *rows, union cell *out);

/* The number in the row's level_column; 0 without one, and of sums. */
uint64_t rows_level(const struct rows *rows, const union cell *row);

/* The index of the last column that people see, where labels stand. There must be one. */
size_t rows_label_column(const struct rows *rows);

/*
 * Puts the rows in order: by `column`, numbers from large to small, texts from small to large;
 * equal ones by their texts from left to right, so that the order is the same on every run.
 */
void rows_sort(struct rows *rows, size_t column);

/* The same, but rows that are equal in `column` by the column `then` before their texts. */
void rows_sort_by(struct rows *rows, size_t column, size_t then);

#endif
