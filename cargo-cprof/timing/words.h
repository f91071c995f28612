/* A command line as one text, taken apart into words without a shell. */
#ifndef TIMING_WORDS_H
#define TIMING_WORDS_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"

enum words_rule {
    WORDS_PLAIN,   /* what a shell would do more than part and unquote is refused */
    WORDS_LITERAL, /* it is taken letter by letter */
};

/*
 * Splits at spaces, tabs and line ends, with the quoting of POSIX's shell (XCU 2.2): a backslash, '...', and
 * "..." in which a backslash quotes $ ` " \ and the end of a line. `out` ends in NULL and lives in `arena`.
 *
 * Returns 0, or -1 with ERROR_USAGE: a quote that does not end, no word at all, and under WORDS_PLAIN what is
 * unquoted and means something to a shell: | & ; < > ( ) $ `, patterns (* ? [), ~ and # at the start of a
 * word, VARIABLE=value in front of the program. A hint says what to do.
 */
MUST_CHECK int words_split(struct arena *arena, const char *line, enum words_rule rule,
                           const char *const **out, struct error *err);

/* How commands that are typed as one text are run. */
struct command_rule {
    enum words_rule words;
    const char *shell; /* the command line of a shell that runs them; NULL: none does */
};

/* The words that run the command. Returns 0, or -1 as of words_split. */
MUST_CHECK int command_split(struct arena *arena, const char *command, const struct command_rule *rule,
                             const char *const **out, struct error *err);

#endif
