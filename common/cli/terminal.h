/* What the output goes to, and so how it may look. */
#ifndef CLI_TERMINAL_H
#define CLI_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

/* The order of terminal_color_names. */
enum color_choice { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

extern const char *const terminal_color_names[]; /* "auto", "always", "never", NULL */

struct terminal {
    bool is_terminal;
    bool has_color; /* write escape sequences */
    size_t columns; /* width to cut lines to; 0: do not cut (a pipe, a file) */
};

/*
 * Looks at a descriptor. With COLOR_AUTO colour is used on a terminal unless NO_COLOR is set and
 * not empty (no-color.org), CARGO_TERM_COLOR is "never" or TERM is "dumb". COLUMNS, when a number, overrides
 * the width.
 */
struct terminal terminal_of(int descriptor, enum color_choice color);

#endif
