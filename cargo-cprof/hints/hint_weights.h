/* How much of a series' samples each hint is about, and where in the user's own code that comes from. */
#ifndef HINTS_HINT_WEIGHTS_H
#define HINTS_HINT_WEIGHTS_H

#include "base/pair_index.h"
#include "base/vec.h"
#include "hints/hint_rules.h"
#include "profile/profile.h"

/* Zero-initialised is none; to be released with hint_weights_done. */
struct hint_weights {
    uint64_t whole; /* of all samples; weights are as of weight_of_series */
    uint64_t weights[HINT_KIND_COUNT];
    struct pair_index origins;    /* kind, the user's function that it comes from */
    VEC(uint64_t) origin_weights; /* by the id of that pair */
};

void hint_weights_done(struct hint_weights *weights);

/*
 * Walks the stacks of the series. Of HINT_HOT_INLINED the weight is that of the heaviest function, of
 * HINT_IDLE, which samples do not tell, 0.
 */
void hint_weights_find(const struct profile *profile, uint32_t series, struct hint_weights *out);

#endif
