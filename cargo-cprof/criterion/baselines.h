/* The benchmarks below target/criterion of which two baselines are kept, and how they differ. */
#ifndef CRITERION_BASELINES_H
#define CRITERION_BASELINES_H

#include "base/vec.h"
#include "criterion/saved.h"
#include "delta/statistics.h"

enum { CRITERION_BEFORE, CRITERION_AFTER, CRITERION_SIDES };

enum criterion_verdict {
    CRITERION_SAME_RUN, /* both baselines are of one run: the benchmark has not run since */
    CRITERION_UNKNOWN,  /* the samples tell no bounds */
    CRITERION_NOISE,
    CRITERION_MAYBE, /* alone it would be a change; among so many benchmarks chance may have made it */
    CRITERION_SLOWER,
    CRITERION_FASTER,
    CRITERION_VERDICT_COUNT
};

struct criterion_benchmark {
    const char *id; /* "group/function/value" */
    struct criterion_estimate times[CRITERION_SIDES];
    struct criterion_sample samples[CRITERION_SIDES];
    struct ratio ratio;             /* of the mean times of an iteration */
    enum criterion_verdict verdict; /* set by criterion_baselines_judge */
};

/* To be released with criterion_baselines_done. Zero-initialised is empty. */
struct criterion_baselines {
    struct arena arena;
    VEC(struct criterion_benchmark) items; /* by id */
    size_t without_before;                 /* benchmarks that have the second baseline alone */
    VEC(const char *) skipped;             /* what was not read, with why: a line each */
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
 * Sets the verdicts of the benchmarks that `out` has by now. A change is told where the whole interval lies
 * beyond one percent, as Criterion has it (its noise_threshold), since runs at different times differ by
 * about so much although no sample tells it; and where an interval that holds at `confidence` together with
 * those of all the others (Bonferroni's) does, too.
 */
void criterion_baselines_judge(struct criterion_baselines *baselines, double confidence);

/* How many benchmarks have the verdict. */
size_t criterion_baselines_count(const struct criterion_baselines *baselines, enum criterion_verdict verdict);

/* Whether it became slower or faster. */
bool criterion_is_change(const struct criterion_benchmark *benchmark);

#endif
