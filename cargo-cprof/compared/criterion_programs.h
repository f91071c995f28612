/* The programs of Criterion's benchmarks, before and after, to be profiled. */
#ifndef COMPARED_CRITERION_PROGRAMS_H
#define COMPARED_CRITERION_PROGRAMS_H

#include "compared/compared.h"
#include "criterion/baselines.h"

/* Zero-initialised is none; to be released with criterion_programs_done. */
struct criterion_programs {
    struct compared compared; /* the two, where they exist */
    bool exist;
    struct error unbuilt; /* why there is no program before; ERROR_NONE: there is, or none is wanted */
    struct arena arena;
};

void criterion_programs_done(struct criterion_programs *programs);

/*
 * Builds the program of --bench, as it is and of the revision that is typed or called `before`, the
 * baseline's name; where no revision is, a note says so, and there are none. Of the baselines those stay that
 * are of this program. Returns 0, also where the code before cannot be built, or -1: ERROR_MISSING where no
 * benchmark stays, ERROR_USAGE where a side is no revision, or as of compared_read, named_bench_check and
 * compared_make_ready.
 */
MUST_CHECK int criterion_programs_make(const struct options *options, const char *before,
                                       struct criterion_baselines *baselines, struct criterion_programs *out,
                                       struct error *err);

/* How both are run for the benchmark `id` alone, for so many seconds. `out` borrows from the programs. */
void criterion_programs_request(struct criterion_programs *programs, const char *id, unsigned seconds,
                                enum launch_output output, struct timing_request *out);

#endif
