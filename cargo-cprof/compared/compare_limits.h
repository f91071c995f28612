/* --fail-over of `cargo cprof compare`: what the second side may take more than the first. */
#ifndef COMPARED_COMPARE_LIMITS_H
#define COMPARED_COMPARE_LIMITS_H

#include "base/text.h"
#include "compared/compare_settings.h"
#include "criterion/baselines.h"
#include "timing/figure_rows.h"

/*
 * A figure is over its limit where the whole interval is: noise alone never is. `event` is that which was
 * profiled, NULL where none was measured. Returns 0, or -1 as of
 * over_limits_check. Adds to `doubts` a sentence, separated by "; ", for each limit whose figure has no
 * interval.
 */
MUST_CHECK int compare_limits_check(const struct compare_settings *settings, const struct figures *figures,
                                    const struct other_figure *event,
                                    const struct timed_program programs[TIMING_SIDES], struct text *doubts,
                                    struct error *err);

/*
 * The same of benchmarks, which are over a limit only where they are told to have changed. The sentence in
 * `doubts` is of those that cannot be checked: they have not run since, or have no interval.
 */
MUST_CHECK int compare_limits_check_benchmarks(const struct compare_settings *settings,
                                               const struct criterion_baselines *baselines,
                                               struct text *doubts, struct error *err);

#endif
