/*
 * A thread that goes down into the same deep functions again and again, from callers of two kinds, as what
 * samples tell of it a little later: the outer parts of its stacks have to be read, while it goes on.
 */
#ifndef TESTS_OUTER_SIMULATION_H
#define TESTS_OUTER_SIMULATION_H

#include <stdbool.h>
#include <stdint.h>

/* Times in samples: 1 is from one sample to the next. */
struct simulation {
    double other_share;   /* of the times it goes down: from the other caller */
    double deep_time;     /* how long it stays, on average, */
    double shallow_time;  /* and how long it is back up in between */
    bool goes_far;        /* up to above its callers, not only to below them */
    bool is_shown;        /* the words below tell the caller */
    bool is_frozen;       /* it stands still while it is read, where the last sample was taken */
    unsigned look_length; /* samples from one look to the next */
    unsigned sample_count;
};

struct simulated {
    unsigned deep_count;  /* samples down there, */
    unsigned kept_count;  /* with callers told in the end: */
    unsigned wrong_count; /* those of the other kind, */
    unsigned over_count;  /* or in a call that was not there yet */
};

/* The same for the same simulation. */
struct simulated simulation_run(const struct simulation *simulation);

#endif
