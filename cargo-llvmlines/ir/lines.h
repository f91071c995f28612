/* The inner loops of counting: lines in the body of a function and names, several bytes at a time. */
#ifndef IR_LINES_H
#define IR_LINES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/slice.h"

struct ir_lines {
    uint64_t all;      /* whole lines */
    uint64_t counted;  /* those that ir_line_counts */
    uint64_t switches; /* those that ir_line_ends_switch */
};

/* Whether a line that begins here is counted: two spaces and no third. */
bool ir_line_counts(struct slice line);

/* Whether it is the "]" behind the cases of a switch, which is counted but no instruction. */
bool ir_line_ends_switch(struct slice line);

/* Offset of the first newline or NUL, or bytes.length when there is none. */
size_t ir_line_length(struct slice bytes);

/* How many bytes at the start may stand in a name without quotes: letters, digits, "-", "$", "." and "_". */
size_t ir_name_length(struct slice bytes);

/*
 * Takes lines from `bytes`, which begins with the start of a line, as long as none begins with "}" or
 * "d", which may end the body, or holds a NUL. Adds what was taken to `lines` and returns its length, which
 * is 0 or ends after a "\n". May leave lines at the end that it could have taken.
 */
size_t ir_lines_take(struct slice bytes, struct ir_lines *lines);

#endif
