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

/* NULL where no stack of it was too deep. */
struct outer_thread *outer_thread_known(const struct outer *outer, uint32_t id);

/* Makes one where there is none. */
struct outer_thread *outer_thread_of(struct outer *outer, uint32_t id);

struct reading_status *outer_thread_status(struct outer_thread *thread, uint32_t number);

/* Of each sample in turn: those before and after a reading prove it or do not. */
void outer_thread_notice(struct outer_thread *thread, uint32_t round, const struct unwind_request *walk);

/* The newest is to be filled anew, the one that it was until now is the one before. */
void outer_thread_begin_reading(struct outer_thread *thread, uint32_t round);

#endif
