/* Which of the measured functions are wanted: those of a crate, or those that a regular expression matches.
 */
#ifndef CONTENT_FILTER_H
#define CONTENT_FILTER_H

#include "base/regex.h"
#include "content/measure.h"

/* Zero-initialised takes all. */
struct filter {
    struct slice crate;  /* a crate as the table of crates shows it or by its own name; empty for none */
    struct regex *regex; /* owned; NULL for none */
    bool split_std;
    bool is_programs; /* it is a crate of the program's, and std's of that name is not meant */
};

/*
 * `typed` is a crate's name when some function is of that crate, else a regular expression; NULL takes all.
 * "Unknown" is the row "[Unknown]" where no crate has that name.
 * Returns 0, or -1 with ERROR_USAGE when it is neither. To be released with filter_done.
 */
MUST_CHECK int filter_make(const struct measurement *measurement, const char *typed, bool split_std,
                           struct filter *out, struct error *err);

void filter_done(struct filter *filter);

/* 1 or 0; -1 with ERROR_FORMAT when the regular expression gave up. */
MUST_CHECK int filter_takes(const struct filter *filter, const struct measured *measured, struct error *err);

/*
 * The next item of the measurement that is wanted, from `*at` on, which is then the index behind it. 1 with
 * `out` set; 0 when there is none left; -1 as of filter_takes.
 */
MUST_CHECK int filter_next(const struct filter *filter, const struct measurement *measurement, size_t *at,
                           const struct measured **out, struct error *err);

/* Fails because nothing was taken: -1 with ERROR_MISSING and the nearest crate. */
int filter_refuse_empty(const struct measurement *measurement, const char *typed, struct error *err);

/* The crate as shown: std stands for all crates of the standard library unless they are split. */
struct slice filter_shown_crate(const struct measured *measured, bool split_std);

/* The version of that, or a text without data where it is not known and for std. */
struct slice filter_shown_version(const struct measured *measured, bool split_std);

/* What its row is called in the table of crates. */
struct slice filter_crate_row(const struct measured *measured, bool split_std);

#endif
