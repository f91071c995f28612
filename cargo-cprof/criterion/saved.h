/*
 * What Criterion keeps of one benchmark under one name (of a baseline, or "new" for the last run): three
 * files of JSON in BENCHMARK/NAME/. Their form is that of Criterion 0.3.3 to 0.8: benchmark.json is its
 * BenchmarkId, sample.json its SavedSample, estimates.json its Estimates (report.rs, lib.rs and estimate.rs
 * there).
 */
#ifndef CRITERION_SAVED_H
#define CRITERION_SAVED_H

#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"
#include "json/json_in.h"

/* How long one iteration took in each sample, in nanoseconds unless the benchmark measures something else. */
struct criterion_sample {
    double *times; /* in an arena */
    size_t count;  /* at least 1 */
};

/* Where an estimate's value is. */
struct criterion_estimate {
    double value;
    double low; /* of Criterion's own confidence interval */
    double high;
};

/*
 * Each returns 0, or -1 with ERROR_FORMAT when a member is missing or not of its type, a number is not
 * finite, or an iteration took no time or less. `out` is then untouched.
 */
MUST_CHECK int criterion_read_sample(struct arena *arena, const struct json_document *document,
                                     struct criterion_sample *out, struct error *err);

/*
 * The mean time of an iteration. Criterion shows the slope of a line through the samples instead, where it
 * has one, but its change is that of the means, too.
 */
MUST_CHECK int criterion_read_time(const struct json_document *document, struct criterion_estimate *out,
                                   struct error *err);

/* The name that filters are matched with: "group/function/value". Copied to `arena`. */
MUST_CHECK int criterion_read_id(struct arena *arena, const struct json_document *document, const char **out,
                                 struct error *err);

#endif
