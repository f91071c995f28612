/*
 * What a profile's pattern tells to do: costs that people meet again and again, how much of the samples they
 * are, where in the user's own crates they come from. docs/cprof.md lists the thresholds.
 */
#ifndef HINTS_HINTS_H
#define HINTS_HINTS_H

#include "base/text.h"
#include "profile/profile.h"

enum hint_kind {
    HINT_DROP,
    HINT_ALLOCATION,
    HINT_COPY,
    HINT_CLONE,
    HINT_GROWTH,
    HINT_SIP_HASH,
    HINT_FORMAT,
    HINT_UNWIND,
    HINT_UTF8,
    HINT_LOCK,
    HINT_UNBUFFERED,
    HINT_DEBUG_BUILD,
    HINT_RECURSION,
    HINT_BOUNDS_CHECK,
    HINT_HOT_INLINED, /* the share is that of one function */
    HINT_NO_LINES,
    HINT_IDLE,
    HINT_KIND_COUNT,
};

struct hint_rule {
    const char *name;       /* "drop" */
    unsigned least_percent; /* of the samples; of HINT_IDLE: of the time it ran, that it did not compute */
    const char *what;       /* behind the share: "of samples drop values" */
    const char *remedy;
};

extern const struct hint_rule hint_rules[HINT_KIND_COUNT];

/* Fewer samples tell nothing for sure. */
enum { HINT_LEAST_SAMPLES = 200, HINT_RECURSION_DEPTH = 50, HINTS_MOST = 5 };

/*
 * Appends the hints that apply to the series, the largest share first, HINTS_MOST at most, two or three
 * lines each:
 *
 *     hint (drop): 63.0% of samples drop values, 41.2% in app::parse, 20.1% in app::main
 *       keep values that are made again and again and clear them; ...
 */
void hints_add(struct text *text, const struct profile *profile, uint32_t series);

#endif
