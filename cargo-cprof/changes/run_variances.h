/* How far what a function takes differs from run to run of one program. */
#ifndef CHANGES_RUN_VARIANCES_H
#define CHANGES_RUN_VARIANCES_H

#include "profile/totals.h"

/* A series whose threads tell of which run they are. */
struct run_series {
    uint32_t series;
    enum weight weight;
    uint32_t run_count; /* 2 or more */
    bool is_share;      /* parts of a run are compared, however much that took in all */
};

/* Variances of the weights of all runs together, by function. To be released with run_variances_done. */
struct run_variances {
    double *self;         /* owned */
    double *total;        /* owned */
    double without_stack; /* of samples of which no frame is known */
};

/*
 * Runs are taken for independent of each other. `totals` are those of the series; one is added to `profile`
 * and left empty. In time linear to what the profile holds, times the runs.
 */
void run_variances_find(struct profile *profile, struct run_series of, const struct totals *totals,
                        struct run_variances *out);

void run_variances_done(struct run_variances *variances);

#endif
