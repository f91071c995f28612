/*
 * Times of events that were recorded before, maybe elsewhere, beside those of files: what is to be added to
 * them, modulo 2^64, for CLOCK_MONOTONIC's of now, as far as that can be known.
 */
#ifndef PROCESS_PAST_TIMES_H
#define PROCESS_PAST_TIMES_H

#include <stdbool.h>
#include <stdint.h>

/* Zero-initialised is for events by CLOCK_MONOTONIC itself, of which nothing tells what was before them. */
struct past_times {
    uint64_t latest_shift_ns;   /* an event was no later; */
    uint64_t earliest_shift_ns; /* and no earlier, */
    bool has_earliest;          /* where this is set */
    bool has_other_clock;       /* the events' clock is not CLOCK_MONOTONIC, only near it at best */
    bool is_of_this_start;      /* they were recorded on this machine, since it was started */
    uint64_t first_ns;          /* by the events' own clock: what they tell without a time was so before; */
    uint64_t last_ns;           /* the last of them */
};

#endif
