/*
 * What `perf record` wrote, made a profile as a recording of ours is: stacks are walked by unwind
 * information, code gets names from the files that ran, if they are still what they were.
 */
#ifndef IMPORT_PERF_IMPORT_H
#define IMPORT_PERF_IMPORT_H

#include "base/error.h"
#include "base/slice.h"
#include "profile/profile.h"

/* What was not all there, for people to be told. */
struct perf_losses {
    uint64_t damaged_count; /* records that were of no form */
    bool is_cut;            /* perf was ended before it had written all, or the end of the file is missing */
};

/*
 * Sets up `profile` from an open file, of which `start` was read, which perf_data_begins tells apart; from a
 * pipe as well. `name` is for messages. All locations are symbolized. Returns 0, or -1 with the failures of
 * perf_data_open, or ERROR_IO when there is no room for what a pipe brings; nothing is set up then.
 */
MUST_CHECK int perf_import(int file, const char *name, struct slice start, struct profile *profile,
                           struct perf_losses *losses, struct error *err);

#endif
