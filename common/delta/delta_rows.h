/* A delta as rows to show, in the words of the command it is for. */
#ifndef DELTA_DELTA_ROWS_H
#define DELTA_DELTA_ROWS_H

#include "base/text.h"
#include "delta/delta.h"

/* What the figures are called; strings borrowed. */
struct delta_words {
    const char *subject; /* what the total is of: ".text", "LLVM IR" */
    const char *unit;    /* what follows a count: "lines"; NULL for bytes, which have theirs */
    const char *fact;    /* a figure of both sides that stands beside it: the key "file-size"; NULL: none */
    const char *fact_subject;  /* "the file" */
    const char *base;          /* what the sides are called: "main (1a2b3c4)", "old.json" */
    const char *head;          /* "the working tree" */
    const char *mark;          /* stands before names of rows whose crates are inferred; NULL: nothing does */
    const char *inferred_hint; /* what would tell these crates; NULL: nothing is known to */
};

/*
 * Fills `out`, which is zeroed and borrows from `delta` and the words: the things that changed, each with
 * what it was and is, the difference and how much of it that is, or whether it is new or gone. The row of
 * sums is that of all things. `before` and `after` give the facts, which are bytes.
 */
void delta_rows_fill(const struct delta *delta, const struct delta_words *words, const struct rows *before,
                     const struct rows *after, struct rows *out);

/*
 * Sets the headline of the head's own rows, which stand where a comparison was asked for: that there is none,
 * and `why`, the message of an error. As these are all there is and not what changed, those beyond the limit
 * are added up, not folded.
 */
void delta_rows_tell_none(struct rows *head, const char *called, const char *why);

/* Appends a figure of the value that the order goes by: "1.2KiB", "31 lines". */
void delta_add_figure(struct text *text, const struct delta *delta, const struct delta_words *words,
                      uint64_t number);

#endif
