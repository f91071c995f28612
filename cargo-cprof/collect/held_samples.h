/*
 * Samples on their way into a profile. One whose stack was completed from memory waits until it is clear
 * whether that stands, and later ones wait behind it: a profile takes samples in the order of time.
 */
#ifndef COLLECT_HELD_SAMPLES_H
#define COLLECT_HELD_SAMPLES_H

#include "collect/heap/heap.h"
#include "profile/profile.h"
#include "unwind/outer.h"

struct held_sample {
    struct profile_sample sample;
    uint32_t series;
    uint32_t block;       /* of the heap whose stack it is, and no sample; HEAP_NO_BLOCK: it is one */
    enum stack_end end;   /* STACK_END_COUNT: it has no stack to end */
    bool is_candidate;    /* `end` is STACK_COMPLETED or STACK_CUT_DEEP if the candidate stands */
    bool is_doubtful;     /* which it does not, whatever the verdict */
    uint32_t known_count; /* innermost frames that are sure whatever becomes of the candidate */
    struct outer_candidate candidate;
};

/* Zero-initialised, but for `heap`, is empty; to be released with held_samples_done. */
struct held_samples {
    struct heap *heap; /* borrowed; of `block` */
    VEC(struct held_sample) items;
    size_t first; /* the oldest that waits */
    VEC(uint32_t) scratch;
    uint64_t standing_count; /* candidates that stood, so far */
    uint64_t taken_count;    /* and those that were taken back */
};

void held_samples_done(struct held_samples *held);

/* Adds the sample to its series, now or later. */
void held_samples_add(struct held_samples *held, struct profile *profile, const struct outer *outer,
                      const struct held_sample *sample);

/* Candidates that wait are taken back, those from this round on. */
void held_samples_doubt(struct held_samples *held, uint32_t from_round);

/* Adds those that wait no longer; with `is_final` all. */
void held_samples_settle(struct held_samples *held, struct profile *profile, const struct outer *outer,
                         bool is_final);

#endif
