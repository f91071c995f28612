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
    bool is_of_perf;        /* the profile is such a file's; else nothing is set */
    uint64_t damaged_count; /* records that were of no form */
    uint64_t idle_count;    /* samples of processors that had nothing to do */
    bool is_cut;            /* perf was ended before it had written all, or the end of the file is missing */
};

/* A file that is open, or a pipe. Borrowed. */
struct perf_file {
    int descriptor;
    const char *name;   /* for messages */
    struct slice start; /* what was read of it, which perf_data_begins has told apart */
};

/*
 * Sets up `profile` from it. All locations are symbolized: with the files that ran, at their paths below
 * `root`, if that is not NULL and they are there, or where they were. Returns 0, or -1 with the failures of
 * perf_data_open, or ERROR_IO when there is no room for what a pipe brings; nothing is set up then.
 */
MUST_CHECK int perf_import(const struct perf_file *file, const char *root, struct profile *profile,
                           struct perf_losses *losses, struct error *err);

#endif
