/* The costs that hints tell of: from which share on, and what to do about each. */
#ifndef HINTS_HINT_RULES_H
#define HINTS_HINT_RULES_H

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
    HINT_WAKEUPS,
    HINT_UNBUFFERED,
    HINT_NEW_MEMORY,
    HINT_REGEX,
    HINT_THREADS,
    HINT_CLOCK,
    HINT_ROUNDING,
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

/* What another allocator than the system's does about it, by kind; NULL: nothing. */
extern const char *const hint_allocator_remedies[HINT_KIND_COUNT];

/* The rule's remedy, or what it is where the profile shows no Rust. */
const char *hint_remedy(const struct profile *profile, enum hint_kind kind);

#endif
