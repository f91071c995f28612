/* Has a sampler copy as much of each stack as is needed, by what becomes of the stacks (copy_size). */
#ifndef COLLECT_COPIES_H
#define COLLECT_COPIES_H

#include "collect/copy_size.h"
#include "collect/held_samples.h"
#include "sampler/sampler.h"

/* Zero-initialised is at a start. */
struct copies {
    struct copy_size size;
    uint32_t fewer_bytes; /* that may be copied; 0: no other number than now */
};

/* A round of this sampler begins. */
void copies_begin_round(struct copies *copies, const struct sampler *sampler);

/* Of each walk. Whether what it completed is doubtful: its copy was as small as had just turned out wrong. */
bool copies_note(struct copies *copies, const struct outer *outer, const struct outer_request *request,
                 const struct outer_result *result, const struct unwinder *unwinder);

/* As held_samples_settle. */
void copies_settle(struct copies *copies, struct held_samples *held, struct profile *profile,
                   const struct outer *outer, bool is_final);

/*
 * A round has ended: changes what is copied where that is better. Returns whether it did, and so what a
 * process did that was started in this moment may be missing.
 */
bool copies_fit(struct copies *copies, struct held_samples *held, struct sampler *sampler);

#endif
