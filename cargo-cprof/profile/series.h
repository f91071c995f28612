/* The samples of one event, and how good they are. */
#ifndef PROFILE_SERIES_H
#define PROFILE_SERIES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

/* In place of an id: there is none. */
#define PROFILE_NONE UINT32_MAX

struct profile_sample {
    uint64_t time_ns; /* of the clock that the recording used, rising */
    uint64_t value;   /* in the series' unit */
    uint32_t thread;
    uint32_t stack; /* PROFILE_NONE when no frame is known */
};

/* How the walk up a stack ended. All but the first are cut: outer frames are missing. */
enum stack_end {
    STACK_COMPLETE,    /* at the thread's start */
    STACK_CUT_BY_COPY, /* the copy of the stack was too small */
    STACK_CUT_NO_RULE, /* no unwind information for an address */
    STACK_CUT_BAD,     /* the information led to memory or an address that cannot be */
    STACK_CUT_DEEP,    /* more frames than are kept */
    STACK_NO_USER,     /* the sample came without the program's registers or stack */
    STACK_END_COUNT,
};

struct profile_series {
    uint32_t event;                         /* string: "cpu-clock" */
    uint32_t unit;                          /* string: "ns", "cycles" */
    uint32_t frequency_hz;                  /* as asked for; 0 when sampled otherwise */
    bool is_user_only;                      /* the kernel's own time was not sampled */
    uint64_t lost_count;                    /* samples the kernel could not store */
    uint64_t ended_counts[STACK_END_COUNT]; /* samples by how their stacks ended */
    VEC(struct profile_sample) samples;
};

#endif
