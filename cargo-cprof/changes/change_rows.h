/* Changes as rows to show, and as what budgets are held against. */
#ifndef CHANGES_CHANGE_ROWS_H
#define CHANGES_CHANGE_ROWS_H

#include "changes/changes.h"
#include "delta/delta_rows.h"

/* What the sides are called: "old.cprof", "main (1a2b3c4)"; borrowed. */
struct change_words {
    const char *before;
    const char *after;
};

/*
 * Fills the empty `out`, which borrows from `changes`: what each was and is, itself, the difference, how much
 * of it that is, how far chance alone would move it, the difference with what it calls, and a word for
 * what happened. What is within noise, and callers of other people's code, come last, as what matters
 * little (rows.h). The row of sums is that of
 * the wholes, and the headline tells them and the measure.
 */
void change_rows_fill(const struct changes *changes, enum joined_by by, const struct change_words *words,
                      struct rows *out);

/*
 * The same as budgets take it, `out` zeroed and to be given to delta_done: self, or with what it calls, what
 * is noise marked. With what they call functions add up to no whole, so that limits of that are none of it.
 * Sets `words` as budget_check needs them.
 */
void change_delta_fill(const struct changes *changes, enum joined_by by, bool with_callees, struct delta *out,
                       struct delta_words *words);

/* Appends an amount, or a difference of two, in the measure's unit: "1.23 s", "+4.56 pp", "789". */
void change_add_amount(struct text *text, const struct measure *measure, uint64_t amount);
void change_add_difference(struct text *text, const struct measure *measure, int64_t difference);

#endif
