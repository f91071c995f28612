/* What stands in a column of rows, and how programs read its numbers. */
#ifndef REPORT_COLUMN_H
#define REPORT_COLUMN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

enum column_kind {
    COLUMN_TEXT,      /* a name; in Markdown set as code */
    COLUMN_WORD,      /* a text that is a word of ours; in Markdown set as it is */
    COLUMN_AMOUNT,    /* a text that is an amount with its unit, for people; in Markdown at the right */
    COLUMN_DECIMAL,   /* a text that is a decimal number, and for programs a number: null where not known */
    COLUMN_BYTES,     /* printed as 84.9KiB */
    COLUMN_COUNT,     /* printed as 1,234 */
    COLUMN_RUNNING,   /* a count in which those of the rows above are contained; printed as 1,234 */
    COLUMN_INCLUSIVE, /* a count that rows share with each other, so that it has no sum; printed as 1,234 */
    COLUMN_INCLUSIVE_BYTES, /* the same for bytes; printed as 84.9KiB */
    COLUMN_SHARE,           /* no cell of its own: the cell of `of_column` as a percentage of `whole` */
    COLUMN_BYTES_CHANGE,    /* how much more or less, an int64_t kept in `number`; printed as +1.2KiB, -3B */
    COLUMN_COUNT_CHANGE,    /* the same of counts; printed as +1,234 */
    COLUMN_TIME,            /* nanoseconds; printed as 1.23 s */
    COLUMN_TIME_CHANGE,     /* printed as +1.23 s */
    COLUMN_PART,            /* billionths of a whole; printed as 12.34%, for programs as 0.1234 */
    COLUMN_PART_CHANGE,     /* printed as +1.23 pp: percentage points */
    COLUMN_INCLUSIVE_TIME,  /* these are shared among rows too, and have no sum */
    COLUMN_INCLUSIVE_PART,
    COLUMN_INCLUSIVE_POINTS, /* billionths that two parts may be apart; printed as 1.23 pp */
    COLUMN_INCLUSIVE_COUNT_CHANGE,
    COLUMN_INCLUSIVE_BYTES_CHANGE,
    COLUMN_INCLUSIVE_TIME_CHANGE,
    COLUMN_INCLUSIVE_PART_CHANGE,
    COLUMN_GROWTH, /* no cell of its own: from the cell of `of_column` to the one right of it, printed as
                      +1.2%, "new" when the first is 0, "gone" when the second is */
};

struct column {
    enum column_kind kind;
    const char *title; /* heading for people; NULL keeps the column out of what people read */
    const char *key;   /* name for programs; NULL keeps it out of JSON and CSV */
    size_t of_column;  /* COLUMN_SHARE, COLUMN_GROWTH: the column of numbers it is computed from; COLUMN_TEXT:
                          that of what people see instead, where it has a text; numbers that people do not
                          see: that whose parts they are, which comparisons then have too; 0: none */
    uint64_t whole; /* COLUMN_SHARE: what 100 % is; COLUMN_GROWTH: the column that says "changed" of what was
                       and is there even if the number was or is 0, which then is no word; 0: none */
};

/* Whether its cells are texts. */
bool column_is_text(enum column_kind kind);

/* Whether they are texts for programs, too, and not numbers. */
bool column_is_string(enum column_kind kind);

/* Whether the column has numbers of its own that add up. */
bool column_has_sum(enum column_kind kind);

/* Whether rows share its numbers with each other. */
bool column_is_inclusive(enum column_kind kind);

/* Appends a number of such a column as programs read it. */
void column_add_number(struct text *text, enum column_kind kind, uint64_t number);

#endif
