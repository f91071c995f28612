/*
 * What `perf record` wrote, made a profile as a recording of ours is: stacks are walked by unwind
 * information, code gets names from the files that ran, if they are still what they were.
 */
#ifndef IMPORT_PERF_IMPORT_H
#define IMPORT_PERF_IMPORT_H

#include "base/error.h"
#include "base/slice.h"
#include "profile/profile.h"
#include "symbolize/jit/names.h"

/* What was not all there, for people to be told. */
struct perf_losses {
    bool is_of_perf;        /* the profile is such a file's; else nothing is set */
    uint64_t damaged_count; /* records that were of no form */
    uint64_t idle_count;    /* samples of processors that had nothing to do */
    bool has_branch_calls;  /* --call-graph lbr, which is not read, */
    bool has_other_counts;  /* as are the counts of '{cycles,instructions}:S' */
    bool is_cut;            /* perf was ended before it had written all, or the end of the file is missing */
    struct jit_doubts jit_doubts; /* names may be told by CLOCK_MONOTONIC, which times need not be of */
};

/*
 * Sets up `profile` from an open file that can be read anywhere; `name` is for messages. All locations are
 * symbolized: with the files that ran, at their paths below `root`, if that is not NULL and they are there,
 * or where they were. Returns 0, or -1 with the failures of perf_data_open; nothing is set up then.
 */
MUST_CHECK int perf_import(int file, const char *name, const char *root, struct profile *profile,
                           struct perf_losses *losses, struct error *err);

#endif
