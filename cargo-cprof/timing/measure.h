/* Two programs run in turn, often enough to tell their times apart. */
#ifndef TIMING_MEASURE_H
#define TIMING_MEASURE_H

#include "base/vec.h"
#include "timing/timed_run.h"

enum timing_side { TIMING_BEFORE, TIMING_AFTER, TIMING_SIDES };

/* All borrowed. Commands are words that end in NULL, or NULL for none. */
struct timed_program {
    const char *label;           /* what people call it: "main (1a2b3c4)" */
    const char *command;         /* what is run, as it may be typed */
    struct launch launch;        /* argv NULL: there is no such program, and the other is run alone */
    const char *const *prepare;  /* run before each of its runs; */
    const char *const *conclude; /* and after each */
};

struct timing_plan {
    size_t warmup_runs;        /* of each, before the first that counts */
    size_t least_runs;         /* of each, 1 or more */
    size_t most_runs;          /* the same number, where it was asked for; not less */
    bool ignores_failure;      /* a program that fails is measured all the same */
    const char *const *setup;  /* run before all others; */
    const char *const *finish; /* and after them, also when one failed or a signal came */
};

struct timing_request {
    struct timed_program programs[TIMING_SIDES];
    struct timing_plan plan;
};

/* To be released with timings_done. Zero-initialised is none. */
struct timings {
    VEC(struct timed_run) runs[TIMING_SIDES]; /* as many of each program that there is */
    size_t planned_runs;                      /* of each */
    uint64_t pair_ns;                         /* that one of each takes in the mean, with all around it */
    int signal;                               /* that ended the measuring early; 0: none */
};

/*
 * Which one the run with this number, from 0, is of: A B B A A B B A ..., so that neither is always the first
 * of its pair, and what gets slower from run to run is so for both.
 */
enum timing_side timing_side_of_run(size_t run);

/*
 * How many runs of each fit into about six seconds, when one of each takes so long with all around it; within
 * the plan. Decided before the results are known: who goes on until they please finds a change in any noise.
 */
size_t timing_runs(const struct timing_plan *plan, uint64_t pair_ns);

/*
 * Runs both in turn. A variable of changing length stands in their environment, as where the stack begins
 * makes programs faster or slower for no reason of theirs.
 *
 * When a signal comes, what runs is ended, no more is begun, and `out` holds the pairs that were complete.
 * Returns 0, or -1: ERROR_CHILD (exit code 1) when a program or one of the commands around it fails, failures
 * of timed_run. `out` is to be released either way.
 */
MUST_CHECK int timing_run(const struct timing_request *request, struct timings *out, struct error *err);

void timings_done(struct timings *timings);

#endif
