/* What is over limits, as one failure that names every limit, and of what is over it the largest. */
#ifndef DELTA_OVER_LIMITS_H
#define DELTA_OVER_LIMITS_H

#include "base/arena.h"
#include "base/error.h"
#include "base/slice.h"
#include "base/vec.h"

enum { OVER_LIMITS_NAMED = 3 };

struct over_limit {
    const char *name;
    const char *noun;
    size_t count; /* of what is over it */
    struct over_limit_item {
        struct slice name;
        struct slice growth;
        double size;
    } largest[OVER_LIMITS_NAMED]; /* in order; of equal ones, that which came first */
};

/* Zero-initialised is empty. Names are copied. */
struct over_limits {
    struct arena arena;
    VEC(struct over_limit) limits;
};

void over_limits_done(struct over_limits *over);

/*
 * What is added from now on is over the limit of this name ("--fail-over crate=1%"); `noun`, which must
 * outlive `over`, is what the things are ("crate"). A limit that nothing is added to is kept.
 */
void over_limits_begin(struct over_limits *over, const char *name, const char *noun);

/* `growth` is what stands behind "grew by": "1.2KiB (+3.4%)"; `size` is how large that is. */
void over_limits_add(struct over_limits *over, struct slice name, struct slice growth, double size);

/*
 * Returns 0 when all limits are kept, or -1 with ERROR_BUDGET naming each that is not, what is furthest over
 * it (up to OVER_LIMITS_NAMED, fewer where a message has no room for so many) and how many more are.
 * `compared` stands at the end: what was compared; NULL: nothing does.
 */
MUST_CHECK int over_limits_check(const struct over_limits *over, const char *compared, struct error *err);

#endif
