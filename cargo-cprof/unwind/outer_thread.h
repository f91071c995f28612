/*
 * What unwind/outer knows of one thread: its last two readings and what became of those before. Only for
 * that.
 */
#ifndef UNWIND_OUTER_THREAD_H
#define UNWIND_OUTER_THREAD_H

#include "unwind/outer.h"
#include "unwind/reading_log.h"

struct outer_thread {
    struct reading newest;
    struct reading before;
    uint32_t try_count; /* in the round of `newest` */
    uint64_t top;       /* what needed to be read so far ends here; 0: not known */
    bool is_compared;   /* newest with before */
    uint32_t retried;   /* the last reading that was tried again for being different; 0: none */
    struct reading_log log;
};

/*
 * What is known of a thread as it runs and of the same as it leaves its processor is kept apart, under two
 * numbers: of waits, and of each time that a thread has to leave for others, less is copied, so that readings
 * for them begin in calls that come and go while the callers further out stay. These, held against what it
 * was sampled in as it ran, would tell that it was elsewhere.
 */
uint32_t outer_thread_number(uint32_t thread, bool is_of_wait);

/* NULL where no stack of it was too deep. */
struct outer_thread *outer_thread_known(const struct outer *outer, uint32_t number);

/* Makes one where there is none. */
struct outer_thread *outer_thread_of(struct outer *outer, uint32_t number);

struct reading_status *outer_thread_status(struct outer_thread *thread, uint32_t number);

/* Of each sample in turn: those before and after a reading prove it or do not. */
void outer_thread_notice(struct outer_thread *thread, uint32_t round, const struct unwind_request *walk);

/* The newest is to be filled anew, the one that it was until now is the one before. */
void outer_thread_begin_reading(struct outer_thread *thread, uint32_t round);

#endif
