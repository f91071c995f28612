/* A series' samples unpacked and sorted by thread, for what shows each thread over time. */
#ifndef PROFILE_SAMPLES_BY_THREAD_H
#define PROFILE_SAMPLES_BY_THREAD_H

#include "base/error.h"
#include "profile/profile.h"

struct thread_samples {
    VEC(struct profile_sample) items; /* in the order of time */
};

struct samples_by_thread {
    struct thread_samples *threads; /* owned, by thread */
    size_t thread_count;
    uint64_t start_ns; /* time of the first sample of all; 0 when there is none */
};

/* Returns 0, or -1 with ERROR_FORMAT when the samples were read from a damaged file; `out` is then empty. */
MUST_CHECK int samples_by_thread_make(const struct profile *profile, uint32_t series,
                                      struct samples_by_thread *out, struct error *err);

void samples_by_thread_done(struct samples_by_thread *samples);

#endif
