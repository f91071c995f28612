/* Two programs profiled in turn, each as often. */
#ifndef COMPARED_COMPARE_PROFILES_H
#define COMPARED_COMPARE_PROFILES_H

#include "profile/profile.h"
#include "report/warnings.h"
#include "sampler/request.h"
#include "timing/measure.h"

/* To be released with compared_profiles_done. Zero-initialised is none. */
struct compared_profiles {
    struct profile profiles[TIMING_SIDES]; /* symbolized, with one series each */
    bool has_profile[TIMING_SIDES];
    unsigned run_count;    /* of each */
    int interrupt;         /* the first signal that ended it; 0: none */
    bool is_denied_kernel; /* the kernel's part is missing for want of a right */
};

/* What is to be profiled. All borrowed. */
struct profiles_request {
    const struct timing_request *timing;
    double cpu_seconds[TIMING_SIDES]; /* that a run takes */
    double pair_seconds;              /* that one of each takes, with the commands around them */
    unsigned least_runs;              /* of each; 0: one */
    struct sampler_request sampling;  /* one event, or none for the usual one */
    const struct options *options;    /* for what is to be said of the event, with */
    struct warnings *warnings;        /* where that is kept; NULL: it is not said */
};

/*
 * Runs and profiles both, A B B A ..., each run with the commands around it. Returns 0, also when a signal
 * ended it (`interrupt`), or -1 with the failures of session_run_in_turn. `out` is to be released either way.
 */
MUST_CHECK int compared_profiles_record(const struct profiles_request *request, struct compared_profiles *out,
                                        struct error *err);

void compared_profiles_done(struct compared_profiles *profiles);

#endif
