/* What people are told who type an option that another tool has: lists that end with a NULL name. */
#ifndef CARGO_CPROF_OTHER_TOOLS_TABLES_H
#define CARGO_CPROF_OTHER_TOOLS_TABLES_H

#include "cli/options.h"

/* Of cargo-flamegraph, perf-record(1) and samply, of every command that records. */
extern const struct option_answer record_answers[];
/* cargo's that say what to build, of commands that build nothing. */
extern const struct option_answer built_answers[];
/* The same, of commands that tell of what was recorded before, */
extern const struct option_answer loaded_answers[];
/* and of two such. */
extern const struct option_answer both_built_answers[];
/* Of perf-report(1). */
extern const struct option_answer report_answers[];
/* Of perf-annotate(1). */
extern const struct option_answer annotate_answers[];
/* Of perf-diff(1) and inferno-diff-folded. */
extern const struct option_answer diff_answers[];

#endif
