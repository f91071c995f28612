/* Functions that are asked for by an expression for their names. */
#ifndef VIEW_FUNCTIONS_MATCHING_H
#define VIEW_FUNCTIONS_MATCHING_H

#include "base/regex.h"
#include "profile/profile.h"

/*
 * Which functions match, by function; to be freed. `pattern` is the expression as it was typed. NULL with
 * ERROR_MISSING when none does, ERROR_FORMAT when it backtracks without end.
 */
bool *functions_matching(const struct profile *profile, const struct regex *regex, const char *pattern,
                         struct error *err);

#endif
