/*
 * The records of several rings as one stream in the order of time, by merging cursors: nothing is copied,
 * a record stays in its ring until the next one is asked for.
 *
 * A process writes to the ring of whichever processor it runs on. Of two records of which one is a
 * consequence of the other (a mapping, a sample in it) the first is in its ring before the second is made. So
 * with a moment taken before the rings are looked at, every cause of a record from before that moment is seen
 * too.
 */
#ifndef SAMPLER_PERF_ORDER_H
#define SAMPLER_PERF_ORDER_H

#include "sampler/perf/ring.h"

struct order_cursor {
    struct slice record; /* the oldest of the ring; empty when there is none */
    uint64_t time_ns;
    bool is_of_future; /* a program wrote the ring's times, and no clock */
};

struct order {
    struct ring *rings; /* borrowed */
    size_t count;
    struct order_cursor *cursors; /* owned; one for each ring */
    uint64_t until_ns;
    size_t taken; /* the ring whose record was given last; `count` for none */
};

void order_init(struct order *order, struct ring *rings, size_t count);

void order_done(struct order *order);

/* Looks at all rings; order_next then gives the records up to this time. */
void order_begin_round(struct order *order, uint64_t until_ns);

/* The next record, valid until the following call; the one before goes back to the kernel. */
bool order_next(struct order *order, struct slice *record);

#endif
