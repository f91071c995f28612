/*
 * How long threads wait, and where: a sample is taken as a thread leaves its processor, and what it stands
 * for is known when the thread is back. A thread that had to leave for others, and would have gone on, does
 * not wait.
 */
#ifndef COLLECT_WAITS_WAITS_H
#define COLLECT_WAITS_WAITS_H

#include "base/pair_index.h"
#include "collect/held_samples.h"

enum wait_state {
    WAIT_UNKNOWN, /* nothing was told of the thread */
    WAIT_RUNS,
    WAIT_LEAVES, /* it has its sample, and whether it waits is told next */
    WAIT_READY,  /* it is away, and does not wait */
    WAIT_WAITS,
    WAIT_ENDED, /* it has, and leaves for good once more */
};

struct wait {
    enum wait_state state;
    uint64_t since_ns;
    uint64_t read_ns;
    struct held_sample sample; /* while it leaves or waits */
};

/* Zero-initialised is none; to be released with waits_done. */
struct waits {
    struct pair_index tids; /* 0, tid */
    VEC(struct wait) items; /* by the tid's id */
    uint64_t missed_count;  /* of which nobody knows how long they were */
    uint64_t ready_ns; /* for which threads were away that did not wait: others were given their processor */
};

void waits_done(struct waits *waits);

/*
 * A thread has its sample and is about to leave its processor. `sample` is as held_samples_add takes it, but
 * for its time and value. Where the stack was completed from memory that was read since the sample was taken,
 * `read_ns` is when that was done at the latest, else 0: it stands if the thread was away by then, and is
 * taken back if not.
 */
void waits_sample(struct waits *waits, uint32_t tid, uint64_t time_ns, uint64_t read_ns,
                  const struct held_sample *sample);

/* Whether anything was told of the thread. */
bool waits_knows(const struct waits *waits, uint32_t tid);

/* Whether it does: else there was no room for one. */
bool waits_has_sample(const struct waits *waits, uint32_t tid);

/*
 * The thread, which has its sample, has left, and is away from now on: taking the sample was its own time.
 * Where it is ready to go on the sample is dropped.
 */
void waits_leave(struct waits *waits, uint32_t tid, uint64_t time_ns, bool is_ready);

/* The part of time that counts, CLOCK_MONOTONIC. */
struct waits_window {
    uint64_t from_ns;
    uint64_t until_ns;
};

/* A new thread has the number. */
void waits_begin(struct waits *waits, uint32_t tid);

/* It has ended: that it leaves its processor after that, for good, is no wait. */
void waits_end(struct waits *waits, uint32_t tid);

/*
 * It is back. Returns whether it had waited within the window: then `out` is its sample, with
 * the microseconds that it was away as its value, one at least. One that was ready is counted in `ready_ns`.
 */
bool waits_return(struct waits *waits, uint32_t tid, uint64_t time_ns, struct waits_window window,
                  struct held_sample *out);

/* The same, for the end, of one that is still away; at last false, when none waits. */
bool waits_take(struct waits *waits, uint64_t time_ns, struct waits_window window, struct held_sample *out);

/* So many times some have come or gone without our knowing: nothing is known of any, and as many waits as two
 * of these make are missed. */
void waits_forget(struct waits *waits, uint64_t lost_count);

#endif
