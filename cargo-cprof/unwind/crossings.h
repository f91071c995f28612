/*
 * Stacks that go on on another stack: of a coroutine on that of who resumed it, of what stacker has called on
 * the one that was too small, of a signal's handler on the one that was interrupted. Call frame information
 * leads over, to a CFA that the copy does not have. What is there is read a little later, once for all
 * samples of a round, and is taken for a sample only if
 *
 *   - the thread's samples just before and just after the reading had the same frames there: they went over
 * to the same CFA, or were on the other stack themselves, below the same callers; or the reading before was
 *     proved like that and shows the same callers;
 *   - readings from around that time are enough and do not contradict each other, as of outer parts
 * (outer.h).
 *
 * Nothing here knows of processes. For outer.c.
 */
#ifndef UNWIND_CROSSINGS_H
#define UNWIND_CROSSINGS_H

#include "base/vec.h"
#include "unwind/reading.h"
#include "unwind/reading_log.h"

enum { CROSSINGS_OF_WALK = 8 };

/* What a completed walk has used of one place. */
struct crossing_use {
    uint32_t serial;  /* of the place: no other has this number */
    uint32_t reading; /* the thread's last one there by then */
};

struct crossing; /* opaque */

/* Zero-initialised is empty; to be released with crossings_done. */
struct crossings {
    VEC(struct crossing *) items; /* owned */
    size_t total_bytes;           /* of all readings that are kept */
    uint32_t serial;
    uint32_t walk; /* their number */
};

struct crossing_request {
    const struct unwind_request *walk; /* its `read` and `may_cross` are not used */
    unwind_read_fn *read_own;          /* words of the stack that the copy is of, past the copy */
    void *own_context;                 /* for `read_own` */
    struct reading_source source;
    uint32_t thread;
    uint32_t round;
    bool is_of_wait; /* see struct outer_request */
};

struct crossing_result {
    enum unwind_end end;
    bool is_sound;   /* the frames may be taken, if what was used is */
    bool has_led_on; /* this time or before, from the first of the other stacks to the thread's start */
    uint32_t count;
    struct crossing_use uses[CROSSINGS_OF_WALK];
};

void crossings_done(struct crossings *crossings);

/* Whether the thread is known to go over to another stack around this address. */
bool crossings_have(const struct crossings *crossings, uint32_t thread, uint64_t address);

/* How often the thread was read, of the place that was read most. */
uint32_t crossings_reading_count(const struct crossings *crossings, uint32_t thread);

/* Goes on with a walk that ended in UNWIND_CROSSING. */
struct crossing_result crossings_follow(struct crossings *crossings, const struct crossing_request *request,
                                        struct unwinder *unwinder);

/*
 * Of each walk of each thread, after it: what its frames tell of readings. `is_whole`: to the thread's start.
 */
void crossings_notice(struct crossings *crossings, const struct crossing_request *request,
                      const struct unwinder *unwinder, bool is_whole);

/* As outer_verdict, of one place. `is_decided`: nothing more will be known. */
enum outer_verdict crossings_verdict(const struct crossings *crossings, struct crossing_use use,
                                     bool is_decided);

/* Gives back what is kept of a thread that has ended; verdicts stay. */
void crossings_end_thread(struct crossings *crossings, uint32_t thread);

#endif
