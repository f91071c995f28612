/* How a limit of growth is written: what it is of, and how much. */
#ifndef DELTA_LIMIT_H
#define DELTA_LIMIT_H

#include <stdbool.h>

#include "base/error.h"
#include "base/slice.h"
#include "base/text.h"

enum limit_unit {
    LIMIT_PERCENT, /* of what was before */
    LIMIT_PLAIN,   /* a number without a unit: what it counts is the command's to say */
    LIMIT_BYTES,
    LIMIT_NS,
    LIMIT_PARTS, /* billionths of the whole */
};

/* Strings are parts of the text that was read. */
struct limit {
    struct slice subject; /* "crate", "cpu"; empty: none stands there */
    struct slice name;    /* of which one: "serde" of crate:serde; empty: none stands there */
    enum limit_unit unit;
    double amount; /* in that unit, 0 or more */
};

/*
 * Reads "10KiB", "crate=1.5%", "crate:serde=0": the name is between the first ':' and the last '='. Units of
 * bytes are B, KiB, MiB, GiB, kB, MB and GB, of time s, ms and us, of shares pp (percentage points). False
 * when the text is none; `out` is then untouched.
 */
bool limit_read(struct slice text, struct limit *out);

/*
 * Fails with ERROR_USAGE: what stands there is no limit that can be given here. `from` is where
 * ("--fail-over"), `examples` are such that can, for the hint.
 */
MUST_CHECK int limit_refuse(struct slice text, const char *from, const char *examples, struct error *err);

/* Parts what is to be said next of limits that cannot be checked from what was said before. */
void limit_begin_doubt(struct text *doubts);

#endif
