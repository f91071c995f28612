/* What the samples of a series add up to, by stack and by function. */
#ifndef PROFILE_TOTALS_H
#define PROFILE_TOTALS_H

#include "profile/profile.h"

enum weight {
    WEIGHT_SAMPLES, /* each sample counts one */
    WEIGHT_VALUE,   /* each counts its value, in the series' unit */
};

struct weights {
    uint64_t self;  /* of samples taken in this very place, of functions as of totals_own_frame */
    uint64_t total; /* and of those in what it called; a sample counts once however often it stands there */
};

/* To be released with totals_done. */
struct totals {
    uint64_t whole;            /* all samples */
    uint64_t without_stack;    /* those of which no frame is known */
    struct weights *stacks;    /* owned, by stack */
    struct weights *functions; /* owned, by function; empty where locations are not symbolized */
};

/* In time linear to stacks, their frames and the threads that have them. Sums stop at UINT64_MAX. */
void totals_compute(const struct profile *profile, uint32_t series, enum weight weight, struct totals *out);

void totals_done(struct totals *totals);

/*
 * Which of `frames` is what samples with this stack are taken in: the innermost one; of the heap the
 * innermost that is none of std's or the C library's, if there is one, as how those ask for others is not the
 * question. PROFILE_NONE: no frame is known.
 */
uint32_t totals_own_frame(const struct profile *profile, uint32_t series, uint32_t stack);

/*
 * Whether `frame` is Rust's std, the C library or what they walk stacks with: of the heap what it asks for is
 * its caller's.
 */
bool totals_is_stds(const struct profile *profile, uint32_t frame);

/* What samples count together. */
uint64_t weight_of_sum(const struct sample_sum *sum, enum weight weight);

/* How samples are told of: by their values where one stands for many, else each as one. */
enum weight weight_of_series(const struct profile *profile, uint32_t series);

/* Adds without running over. */
void weight_add(uint64_t *sum, uint64_t weight);

#endif
