/* Figures as rows, and as a sentence. */
#ifndef TIMING_FIGURE_ROWS_H
#define TIMING_FIGURE_ROWS_H

#include "base/text.h"
#include "report/rows.h"
#include "timing/figures.h"

/*
 * Fills the empty `out`: a row for each figure, and the sentence as headline and note. `programs` give the
 * names of the sides.
 */
void figure_rows_fill(const struct figures *figures, const struct timed_program *programs, struct rows *out);

/* The same of one program that there is nothing to compare with; `count` of its runs is at least 1. */
void figure_rows_fill_alone(const struct timed_run *runs, size_t count, const struct timed_program *program,
                            struct rows *out);

/* How people read the amounts of a figure. */
enum figure_shape { FIGURE_OF_TIME, FIGURE_OF_BYTES, FIGURE_OF_THINGS };

/* A figure beside those that are always told; strings are borrowed, and live as long as the rows. */
struct other_figure {
    const char *name; /* "heap-peak" */
    const char *unit; /* of what programs read: "ns" where `figure` is in seconds, "bytes", "page-faults" */
    enum figure_shape shape;
    struct figure figure;
    size_t run_count; /* of each, that it is of; 0: none was measured */
    double confidence;
};

/* Adds to what figure_rows_fill has filled: a row, and a sentence of its own. */
void figure_rows_add(const struct other_figure *other, const struct timed_program *programs,
                     struct rows *out);

/* "elapsed time", "peak memory". */
const char *figure_name(enum figure_kind kind);

/* Appends what makes the figures doubtful, for a warning; nothing when there is nothing. */
void figures_add_doubts(struct text *text, const struct figures *figures);

#endif
