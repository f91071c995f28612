/* The benchmarks below target/criterion of which two baselines are kept, and how they differ. */
#ifndef CRITERION_BASELINES_H
#define CRITERION_BASELINES_H

#include "base/vec.h"
#include "compare/statistics.h"
#include "criterion/saved.h"

enum { CRITERION_BEFORE, CRITERION_AFTER, CRITERION_SIDES };

struct criterion_benchmark {
    const char *id; /* "group/function/value" */
    struct criterion_estimate times[CRITERION_SIDES];
    size_t counts[CRITERION_SIDES]; /* of samples */
    struct ratio ratio;             /* of the mean times of an iteration */
};

/* To be released with criterion_baselines_done. Zero-initialised is empty. */
struct criterion_baselines {
    struct arena arena;
    VEC(struct criterion_benchmark) items; /* by id */
    size_t without_before;                 /* benchmarks that have the second baseline alone */
    VEC(const char *) skipped;             /* what could not be read, with why: a line each */
};

/* What is looked for. All borrowed. */
struct criterion_request {
    const char *folder;                     /* ".../target/criterion" */
    const char *baselines[CRITERION_SIDES]; /* their names; the last run is "new" */
    double confidence;
};

/*
 * Looks through the folder for benchmarks that have the second baseline, and reads those that have the first,
 * too. Returns 0, or -1: ERROR_MISSING when there is no such folder or no benchmark has both, the hint says
 * which baselines there are; ERROR_IO when a folder cannot be read. `out` is to be released either way.
 */
MUST_CHECK int criterion_baselines_read(const struct criterion_request *request,
                                        struct criterion_baselines *out, struct error *err);

void criterion_baselines_done(struct criterion_baselines *baselines);

/*
 * Whether it is a change: the whole interval lies beyond one percent, as Criterion has it (its
 * noise_threshold), since runs at different times differ by about so much although no sample tells it.
 */
bool criterion_is_change(const struct criterion_benchmark *benchmark);

#endif
