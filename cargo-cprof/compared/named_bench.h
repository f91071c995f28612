/* Whether what --bench names is there: asked before what Criterion kept is shown in its name. */
#ifndef COMPARED_NAMED_BENCH_H
#define COMPARED_NAMED_BENCH_H

#include "base/error.h"
#include "cli/options.h"

/*
 * Checks that each `--bench NAME` is a benchmark target of the packages that the options select, which cargo
 * is asked for. Returns 0, also without such an option, or -1: ERROR_MISSING, the hint says which there are,
 * or as of cargo_graph_load.
 */
MUST_CHECK int named_bench_check(const struct options *options, struct error *err);

#endif
