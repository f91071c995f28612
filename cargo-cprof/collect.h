/*
 * Runs a program and makes a profile of what it and its children do: the one place that knows of target,
 * sampler, process, unwind and profile.
 */
#ifndef CARGO_CPROF_COLLECT_H
#define CARGO_CPROF_COLLECT_H

#include "profile/profile.h"
#include "sampler/sampler.h"
#include "target/launch.h"

struct collect_request {
    struct launch launch;
    uint32_t frequency_hz;
};

/* To be released with collection_done. */
struct collection {
    struct profile profile; /* one series; nothing is symbolized yet */
    struct target_end end;
    struct sampler_source source;
    uint64_t throttled_count; /* times the kernel slowed the sampling down */
    uint64_t damaged_count;   /* records that could not be read */
    bool was_stopped;         /* before all processes had ended */
};

/*
 * Returns 0 when the program ran, however it ended and however little was recorded; -1 with the failures
 * of target_launch, target_release and sampler_open, when it did not.
 */
MUST_CHECK int collect_run(const struct collect_request *request, struct collection *out, struct error *err);

void collection_done(struct collection *collection);

#endif
