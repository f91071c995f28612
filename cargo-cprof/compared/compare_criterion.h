/* `cargo cprof compare --baseline NAME`: what Criterion measured then and since, and the functions it comes
 * from. */
#ifndef COMPARED_COMPARE_CRITERION_H
#define COMPARED_COMPARE_CRITERION_H

#include "compared/compare_settings.h"

/*
 * Reads target/criterion, and with --bench profiles the benchmarks that changed in runs of their own,
 * several of each side in turn (--profile-time, of which Criterion keeps nothing). Returns 0, with another
 * exit code than 0 only when a signal ended it early, or -1: as of criterion_baselines_read,
 * compared_make_ready and outputs_write; ERROR_USAGE when an option is for programs alone; ERROR_BUDGET when
 * a benchmark is over a limit.
 */
MUST_CHECK int compare_criterion(const struct options *options, const struct compare_settings *settings,
                                 int *exit_code, struct error *err);

#endif
