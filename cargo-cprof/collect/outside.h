/*
 * Code of processes outside of our PID namespace. The kernel tells number 0 of all of them
 * (perf_event_pid_type in its events/core.c), so that nobody knows which one's code an address is.
 */
#ifndef COLLECT_OUTSIDE_H
#define COLLECT_OUTSIDE_H

#include "profile/profile.h"

/* Zero-initialised is none. */
struct outside {
    bool is_known;
    uint32_t location; /* the profile's; set when it is known */
};

/* The one location, with its frame, that all such code has. */
uint32_t outside_location(struct outside *outside, struct profile *profile);

#endif
