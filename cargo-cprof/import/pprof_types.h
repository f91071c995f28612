/*
 * What a profile of pprof counts, as series. Its types stand side by side, and nothing says which tell of the
 * same: that "samples" are how many samples "cpu" is of is known by their names and their order.
 */
#ifndef IMPORT_PPROF_TYPES_H
#define IMPORT_PPROF_TYPES_H

#include "import/pprof_message.h"

#define PPROF_NO_TYPE SIZE_MAX

/* How the samples of a series are told from a sample of pprof's, which is of any number of them. */
enum pprof_counting {
    PPROF_COUNTS_NOTHING,   /* nothing tells how many they are: each value is one sample's */
    PPROF_COUNTS_BY_TYPE,   /* a value of another type tells how many they are; */
    PPROF_COUNTS_BY_PERIOD, /* each stands for as much as all others do */
};

/* A type as a series. */
struct pprof_series {
    size_t type;
    enum pprof_counting counting;
    size_t count_type;    /* of PPROF_COUNTS_BY_TYPE; PPROF_NO_TYPE: there is none */
    uint64_t period;      /* of which each sample is, in the mean, as values are written; 0: not known */
    uint64_t factor;      /* from values as they are written to those of the series */
    struct slice event;   /* borrowed from the message, as the next */
    struct slice unit;    /* as of struct profile_series, */
    bool is_summed;       /* and so is this */
    uint64_t value_sum;   /* of what was seen, */
    uint64_t count_sum;   /* and how many samples that is of */
    bool is_beyond;       /* the values add up to 2^63 or more */
    bool has_no_counting; /* what was seen has values without samples, or samples without one, or too many */
};

/* All of them, in the order in which they are shown. */
struct pprof_plan {
    struct pprof_series series[PPROF_TYPES_MOST];
    size_t count;
};

/*
 * To be begun with the message, then to be shown all of its samples, then to be ended: what they have in
 * common tells whether they can be counted.
 */
void pprof_plan_begin(const struct pprof_message *message, struct pprof_plan *out);
void pprof_plan_see(struct pprof_plan *plan, const struct pprof_sample *sample);

/* Returns 0, or -1 with ERROR_FORMAT when values add up to 2^63 or more. */
MUST_CHECK int pprof_plan_end(struct pprof_plan *plan, struct error *err);

/* The value that a sample has for a series, and how many samples that is. */
uint64_t pprof_value_of(const struct pprof_series *series, const struct pprof_sample *sample,
                        uint64_t *count);

/* How often a second its samples were taken, where the message tells it; 0 elsewhere. */
uint32_t pprof_frequency_hz(const struct pprof_series *series);

#endif
