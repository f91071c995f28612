/* Criterion's benchmarks as rows, the functions that changed below each. */
#ifndef CRITERION_BENCHMARK_ROWS_H
#define CRITERION_BENCHMARK_ROWS_H

#include "changes/changes.h"
#include "criterion/baselines.h"
#include "report/rows.h"

/* Adds the columns to the empty `out`, and what lists are called. */
void benchmark_rows_begin(struct rows *out);

void benchmark_rows_add(const struct criterion_benchmark *benchmark, struct rows *out);

/*
 * Adds those functions whose share of a benchmark that became slower or faster rose or fell beyond noise and
 * whose time did, too, whatever of its interval the benchmark's is: by their own time or, of the user's own
 * crates, by that with what they call. `most` of them at most (0: all). The measure of `changes` is
 * MEASURE_SHARE. Returns how many were added.
 */
size_t benchmark_rows_add_functions(const struct criterion_benchmark *benchmark,
                                    const struct changes *changes, size_t most, struct rows *out);

/*
 * Sets the sentence as headline and note: how many changed, and what was compared with what; and what that
 * is worth, where some are told to have.
 */
void benchmark_rows_end(const struct criterion_baselines *baselines, const char *before, const char *after,
                        struct rows *out);

#endif
