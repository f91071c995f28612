/*
 * Code line by line, with what samples weigh beside it: a heading for each piece, the lines around those that
 * weigh something, "..." for the others.
 */
#ifndef ANNOTATE_LISTING_H
#define ANNOTATE_LISTING_H

#include "annotate/marks.h"
#include "report/rows.h"

struct listing_look {
    uint32_t context;   /* lines shown before and behind one that weighs something; LISTING_ALL: all */
    double least_share; /* lines with less of what their piece weighs are shown around others alone, pieces
                           with less of the heaviest one not at all */
    bool for_programs;  /* what these read is wanted, too */
};

#define LISTING_ALL UINT32_MAX

/* What is listed; zero-initialised is empty, to be released with listing_rows_done. */
struct listing_rows {
    struct rows people;   /* with headings, and without what is far from all that weighs something */
    struct rows programs; /* all, without what is only to be read; empty unless they are wanted */
};

void listing_rows_done(struct listing_rows *rows);

/* What people see: shares of `whole`, where the line is, the line. Others of what programs see follow. */
void listing_add_columns(struct rows *rows, const char *place_title, const char *line_title);

/* Adds a row of these; `place` and `weights` may be NULL. A weight of 0 is told as nothing. */
void listing_add(struct rows *rows, const struct weights *weights, uint64_t whole, const char *place,
                 struct slice line);

/* Makes the row that was added last stand out if it weighs much of its piece. */
void listing_mark_hot(struct rows *rows, const struct weights *weights, const struct weights *of_piece);

/* A row that stands for what is not shown. */
void listing_add_gap(struct rows *rows);

/* A row for what heads a piece, with an empty one before it unless it is the first. */
void listing_add_heading(struct rows *rows, const struct weights *weights, uint64_t whole,
                         struct slice heading);

/* Whether it is worth a look: at least this share of what its piece weighs. */
bool listing_is_heavy(const struct weights *weights, const struct weights *of_piece, double least_share);

/*
 * Groups of marks in the order in which they are listed: by self, then by total, without those that weigh too
 * little beside the first; how many. To be freed.
 */
size_t listing_order(const struct marks *marks, double least_share, uint32_t **out);

#endif
