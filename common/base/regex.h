/*
 * Regular expressions in the syntax Rust users know (PCRE2 covers it), over bytes that
 * may be no UTF-8. PCRE2 is loaded by the first regex_compile.
 */
#ifndef BASE_REGEX_H
#define BASE_REGEX_H

#include <stdbool.h>

#include "base/error.h"
#include "base/slice.h"

struct regex; /* opaque */

/*
 * Returns 0 and an expression to be freed with regex_free, or -1: ERROR_USAGE with the
 * place of the mistake in `pattern`, ERROR_MISSING when PCRE2 is not installed.
 */
MUST_CHECK int regex_compile(struct slice pattern, struct regex **out, struct error *err);

/* NULL is let pass. */
void regex_free(struct regex *regex);

/* For SCOPED. */
void regex_free_at(struct regex **regex);

/*
 * Whether the expression matches anywhere in `subject`: 1 or 0. -1 with ERROR_FORMAT when
 * matching takes more steps than the limit: the expression backtracks without end.
 */
MUST_CHECK int regex_matches(const struct regex *regex, struct slice subject, struct error *err);

#endif
