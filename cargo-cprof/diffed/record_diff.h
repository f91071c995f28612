/* `cargo cprof --diff BASE`: records what the command line is about, and what that changed since BASE. */
#ifndef DIFFED_RECORD_DIFF_H
#define DIFFED_RECORD_DIFF_H

#include "record/record.h"
#include "report/rows.h"

/* --diff and --rev, of forms that build. */
extern const struct option_table record_base_options;

/* --diff of a profile, of forms that do not. */
extern const struct option_table exec_base_options;

/* What one run gave. Zero-initialised is none; to be released with recorded_done. */
struct recorded {
    struct collection collection;
    const char *filter;     /* as of struct record_request, */
    const char *how_longer; /* likewise */
    struct rows facts;      /* of the build, as labels; none where nothing was built */
};

void recorded_done(struct recorded *recorded);

/*
 * Builds, where that is to be done, and records by these options, which are those of the command line or made
 * from them for another folder. Returns 0, or -1 when nothing was recorded.
 */
typedef int record_side_fn(void *context, const struct options *options, struct recorded *out,
                           struct error *err);

/* All borrowed. */
struct record_diff_request {
    const struct options *options; /* of the command line, which has the options of diff.h */
    const struct record_settings *settings;
    record_side_fn *record;
    void *context;
};

/*
 * Whether two sides are compared or another revision is looked at. Returns 0, or -1 with ERROR_USAGE when
 * options are about a comparison and none is asked for.
 */
MUST_CHECK int record_diff_read(const struct options *options, bool *is_wanted, struct error *err);

/*
 * Records the head, which --rev may name, then BASE unless it is a profile, each in its own files with the
 * same options, and tells what changed. Without --diff it tells what was recorded of --rev. Returns 0 with
 * the exit code of the head's program, or -1: as of sides_read, of side_enter, of the recording and of
 * diff_run; ERROR_USAGE when BASE is no profile. When BASE alone fails, the head's own summary and picture
 * are there all the same, and the failure is the result. So they are when a signal ends the head's run, which
 * is ERROR_CHILD; one that ends BASE's leaves what that had done until then to compare with, and 128
 * and its number as the exit code.
 */
MUST_CHECK int record_diff_run(const struct record_diff_request *request, int *exit_code, struct error *err);

#endif
