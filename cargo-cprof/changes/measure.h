/* In what two profiles are compared: CPU time, shares of each, or what was counted. */
#ifndef CHANGES_MEASURE_H
#define CHANGES_MEASURE_H

#include "base/error.h"
#include "changes/joined.h"
#include "profile/totals.h"

enum measure_kind {
    MEASURE_CPU,    /* nanoseconds of CPU time */
    MEASURE_SHARE,  /* billionths of each side's whole */
    MEASURE_COUNT,  /* samples, or what the event counts, */
    MEASURE_WAITS,  /* how many waits there were */
    MEASURE_WAITED, /* and if these are waits, nanoseconds that they took: MEASURE_COUNT is asked for */
};

/* Where the kernel's part of what was measured is. */
enum measure_kernel {
    MEASURE_KERNEL_SAMPLED,  /* among the samples, as far as anybody knows */
    MEASURE_KERNEL_APART,    /* `apart` on both sides: not both sampled it, the system tells its time */
    MEASURE_KERNEL_LEFT_OUT, /* nowhere: the same, and the system does not tell */
};

/* What one side's samples stand for. */
struct measure_side {
    uint64_t weight;       /* of all samples that are compared, as of weight_of_series */
    uint64_t whole;        /* what they are together, in the measure's unit */
    uint64_t of_all_runs;  /* the same of all runs together, where `whole` is of one */
    uint64_t apart;        /* CPU time besides, which is of no sample: that of the kernel where that is
                              MEASURE_KERNEL_APART, or what has_missed tells; else 0 */
    double samples;        /* how many were taken; of folded stacks by folded_sample_weight; */
    uint64_t sample_count; /* the same to be told, rounded down and otherwise exact */
    uint32_t runs; /* that threads tell apart (profile_thread.run), if measure_tell_runs was called; else 0 */
};

struct measure {
    enum measure_kind kind;
    enum measure_kernel kernel;
    bool is_of_waits; /* of both sides; by share, too, functions are then told with what they call */
    bool is_of_heap;  /* of both sides, by what was counted, */
    bool is_of_bytes; /* and likewise of bytes */
    bool is_per_run;  /* amounts are of one run: a side, or both, is of several */
    bool has_missed;  /* a side has no samples of a sizeable part of what was sampled: `apart` has it, too */
    enum weight weights[JOINED_SIDES];
    struct measure_side sides[JOINED_SIDES];
};

/*
 * What is fit for the two: CPU time where both tell it and were recorded until they were done, and neither or
 * both are a part (some threads) of that; what was counted where that is no time and both were; else shares,
 * since what took longer then says nothing.
 */
enum measure_kind measure_usual(const struct joined_part parts[JOINED_SIDES]);

/*
 * Waits are held against how runs differ, as by measure_tell_runs, where both sides tell theirs: what a
 * program waits for differs by far more than by what was sampled.
 *
 * CPU time is what cpu_time_ns tells. Where the kernel's part was not sampled on both sides, what user code
 * took is what its samples stand for, and the rest is the kernel's. Of that the system knows no more than the
 * ticks of its clock, so its own figure is taken only where samples do not tell. Where samples of a side
 * stand for clearly less than its CPU time, or user time, as where many threads and processes are short, both
 * have what samples stand for, and the rest is apart, the kernel's too where it was not sampled: it is
 * another part as soon as a side does more that is sampled, and given to functions as samples are would make
 * those slower or faster that did not change.
 *
 * Returns 0, or -1 with ERROR_USAGE when waits are counted where not both are of some, samples of time are
 * counted that were taken at two rates, or the two are of events that cannot be compared, as time in the
 * kernel alone with all time, or CPU time is asked for and one of them does not tell it.
 */
MUST_CHECK int measure_make(const struct joined_part parts[JOINED_SIDES], enum measure_kind kind,
                            struct measure *out, struct error *err);

/*
 * Whether it is known how many samples there are of what is compared, which chance goes by. Returns 0, or -1
 * with ERROR_USAGE where it is not; `name` is the profile's.
 */
MUST_CHECK int measure_check_samples(const struct joined_part *part, const char *name, struct error *err);

/*
 * What was recorded in turn, twice or more of each, is to be held against how runs of one program differ from
 * each other. Nothing where one side is of fewer runs.
 */
void measure_tell_runs(const struct joined_part parts[JOINED_SIDES], struct measure *measure);

bool measure_tells_runs(const struct measure *measure);

/*
 * "by CPU seconds", "by share of each side's samples", "by what was counted"; " of a run", ", the kernel's
 * apart", ", those without samples apart" and " outside of the kernel" where that is so.
 */
const char *measure_words(const struct measure *measure);

/* What people call the row of what is `apart`; NULL: nothing is. */
const char *measure_apart_name(const struct measure *measure);

/* What the side is of, what is apart included. */
uint64_t measure_all(const struct measure_side *side);

/* How much of all samples, if nothing changed, would be of the side after; above 0 and below 1. */
double measure_share_after(const struct measure *measure);

/* What `weight` of a side's samples stands for, to the nearest. */
uint64_t measure_amount(const struct measure_side *side, uint64_t weight);

/*
 * The same for parts of the whole that are given one after the other, which add up to the whole without a
 * loss. Zero-initialised but for `side` is ready.
 */
struct measure_parts {
    const struct measure_side *side;
    uint64_t weight; /* of those given so far */
    uint64_t amount;
};

uint64_t measure_next(struct measure_parts *parts, uint64_t weight);

#endif
