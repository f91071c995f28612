/* The TOML values that stand without quotes: booleans, numbers, dates and times (TOML 1.0). */
#ifndef CARGO_TOML_SCALAR_H
#define CARGO_TOML_SCALAR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/slice.h"

enum toml_kind {
    TOML_STRING,
    TOML_INTEGER,
    TOML_FLOAT,
    TOML_BOOL,
    TOML_DATETIME,       /* with an offset */
    TOML_DATETIME_LOCAL, /* without */
    TOML_DATE_LOCAL,
    TOML_TIME_LOCAL,
    TOML_ARRAY,
    TOML_TABLE,
};

/*
 * What `token`, taken whole, is. `integer` is the value of a TOML_INTEGER, 1 or 0 for a TOML_BOOL and
 * otherwise 0. False when it is nothing TOML knows, an integer that 64 bits with a sign cannot
 * hold, or a date or time that no calendar or clock shows (second 60 is let pass: RFC 3339).
 */
bool toml_classify(struct slice token, enum toml_kind *kind, int64_t *integer);

#endif
