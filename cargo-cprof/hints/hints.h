/*
 * What a profile's pattern tells to do: costs that people meet again and again, how much of the samples they
 * are, where in the user's own crates they come from. docs/hints.md lists the thresholds.
 */
#ifndef HINTS_HINTS_H
#define HINTS_HINTS_H

#include "base/text.h"
#include "profile/profile.h"

/* Fewer samples tell nothing for sure. */
enum { HINT_LEAST_SAMPLES = 200, HINT_RECURSION_DEPTH = 50, HINTS_MOST = 5 };

/*
 * Appends the hints that apply to the series, the largest share first, HINTS_MOST at most, two or three
 * lines each:
 *
 *     hint (drop): 63.0% of samples drop values, 41.2% in app::parse, 20.1% in app::main
 *       keep values that are made again and again and clear them; ...
 *
 * Where most stacks have no callers a line more tells that hints miss them.
 */
void hints_add(struct text *text, const struct profile *profile, uint32_t series);

#endif
