/*
 * A change of how much is copied of each stack, while all runs. That of an event stands (perf_event_open(2)),
 * so there are two for each thread, kind and processor, and one of them is off. In a change both are on for
 * some microseconds, and a moment in between tells which one's samples count: none is missing, none is there
 * twice. What a process does both tell at slightly different times, so around that moment both may count.
 *
 * Who is started by a thread at that moment inherits its events as they were (inherit_event in
 * kernel/events/core.c), and may not be among those yet that are turned on and off with the thread's. So it
 * is done again a little later.
 */
#ifndef SAMPLER_PERF_TAKEOVER_H
#define SAMPLER_PERF_TAKEOVER_H

#include "sampler/perf/event.h"

/* Zero-initialised: no change yet, the spare events are off. */
struct takeover {
    bool is_of_spare;    /* they have taken over */
    uint64_t changed_ns; /* CLOCK_MONOTONIC; 0: never */
    unsigned again;      /* so many times */
};

/* The spare events take over, or the others again. */
void takeover_begin(struct takeover *takeover, const struct event_set *set, bool is_of_spare);

/* A round begins: to be told of each. */
void takeover_repeat(struct takeover *takeover, const struct event_set *set);

/* Whether it was told by an event that was not in charge at that time, and so by another one, too. */
bool takeover_is_told_twice(const struct takeover *takeover, const struct event_set *set,
                            const struct sampler_event *event);

#endif
