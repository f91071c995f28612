/* What two programs' runs tell, figure by figure. */
#ifndef TIMING_FIGURES_H
#define TIMING_FIGURES_H

#include "delta/statistics.h"
#include "timing/measure.h"

enum figure_kind {
    FIGURE_ELAPSED,
    FIGURE_CPU, /* user and system time together: the kernel parts them by guessing, but knows the sum */
    FIGURE_USER,
    FIGURE_SYSTEM,
    FIGURE_MEMORY,
    FIGURE_COUNT,
};

enum verdict {
    VERDICT_NOISE,   /* the interval holds "no change" */
    VERDICT_MORE,    /* all of it lies above, however far that goes */
    VERDICT_LESS,    /* all of it lies below */
    VERDICT_UNKNOWN, /* it has no bounds that tell */
};

struct figure {
    struct sample_summary sides[TIMING_SIDES]; /* seconds, bytes of FIGURE_MEMORY, or whatever is counted */
    struct ratio ratio;                        /* of the second side to the first */
    bool is_at_most[TIMING_SIDES]; /* memory: no more than our process had before, so maybe less */
};

struct figures {
    struct figure items[FIGURE_COUNT];
    size_t run_count;  /* of each */
    double confidence; /* of the intervals, from 0 to 1 */
};

/* `timings` holds at least one pair. */
void figures_compute(const struct timings *timings, double confidence, struct figures *out);

/* What pairs of runs, at least one, tell of anything that they have more or less of. */
void figure_compute(const double *before, const double *after, size_t count, double confidence,
                    struct figure *out);

/* Whether most runs' peak may be that of our process before it became the program, and theirs less. */
bool memory_is_at_most(const struct timed_run *runs, size_t count);

/* One figure of one run. */
double figure_of_run(const struct timed_run *run, enum figure_kind kind);

enum verdict verdict_of_ratio(struct ratio ratio);

#endif
