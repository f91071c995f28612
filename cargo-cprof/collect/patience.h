/*
 * How long to wait before what was sampled is looked at again: a stack that is deeper than its copy is
 * completed from memory, which has to be read before it changes.
 */
#ifndef COLLECT_PATIENCE_H
#define COLLECT_PATIENCE_H

#include "unwind/outer.h"

struct patience {
    uint32_t deep_round; /* when the last stack was deeper than its copy, */
    uint32_t new_round;  /* and when that was one of a thread that was hardly read yet */
    uint32_t wait_round; /* and that of a thread that waits */
    uint32_t eager_left; /* rounds that may be soon after the one before */
};

void patience_init(struct patience *patience);

/* A stack of this thread was deeper than its copy. */
void patience_note_deep(struct patience *patience, const struct outer *outer, uint32_t thread);

/* The same of one that is about to wait: it is the same until the thread is back. */
void patience_note_deep_wait(struct patience *patience, const struct outer *outer);

/* A round begins: all that the rings have is taken. */
void patience_begin_round(struct patience *patience, const struct outer *outer);

/* How long the next round may wait, in microseconds; INT64_MAX: as long as it likes. */
int64_t patience_us(const struct patience *patience, const struct outer *outer);

#endif
