/* --filter on what changed: one place for both sides, whether they were measured or saved. */
#ifndef DELTA_DELTA_FILTER_H
#define DELTA_DELTA_FILTER_H

#include "base/regex.h"
#include "delta/delta.h"

/* What is wanted; borrowed. Zero-initialised takes all. */
struct delta_filter {
    const char *word;          /* as typed; NULL: all */
    bool may_be_crate;         /* the word is a crate where a row has that one */
    const struct regex *regex; /* the word as an expression; NULL where it is none */
    bool joins_std;            /* rows have the crates that std is built with as std */
};

/*
 * Drops the entries that do not match: those of other crates when the word is a crate that an entry has
 * ('-' for '_' or not; "[Unknown]", or "Unknown" where that is none, for functions without one), else those
 * whose name the expression does not match. Returns 0, or -1: ERROR_MISSING when nothing is left,
 * ERROR_FORMAT when matching takes too long, ERROR_USAGE when the word is no expression, or a crate that may
 * be joined with std alone.
 */
MUST_CHECK int delta_filter_apply(struct delta *delta, const struct delta_filter *filter, struct error *err);

#endif
