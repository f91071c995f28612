/*
 * What became of the readings of one thread's stack: which of them say something of the stacks around them.
 * Nothing tells for certain that a thread did not return, call anew from elsewhere and leave the same words
 * behind; but a thread that does so is caught at it again and again.
 */
#ifndef UNWIND_READING_LOG_H
#define UNWIND_READING_LOG_H

#include <stdbool.h>
#include <stdint.h>

/* One reading. */
struct reading_note {
    bool is_proved;    /* the samples just before and after it were in its frames, */
    uint64_t sp;       /* as far as they are above; */
    bool is_disturbed; /* or one of them, as deep, was in others */
    bool is_confirmed; /* another reading shows the same callers */
    bool differs;      /* it shows other callers than the one before it */
    bool is_void;      /* it says nothing: the thread was between two calls, */
    bool is_explained; /* and it is known which: the callers of those before are the ones read before */
};

enum { READING_LOG_LENGTH = 128 };

/* Zero-initialised has no reading. */
struct reading_log {
    struct reading_note notes[READING_LOG_LENGTH]; /* by number */
    uint32_t count;                                /* of all readings: the newest one's number; from 1 on */
};

/* Readings from after a stack that speak of it: by then all is known that will be. */
enum { READING_LOG_AFTER = 32 };

/* Begins with the next reading. */
struct reading_note *reading_log_add(struct reading_log *log);

/* A reading that is at most READING_LOG_LENGTH - 1 older than the newest. */
struct reading_note *reading_log_note(struct reading_log *log, uint32_t number);
const struct reading_note *reading_log_seen(const struct reading_log *log, uint32_t number);

/*
 * Whether what readings show around this one may be taken: near by enough are proved and none shows that
 * callers change; and further around callers do not come and go from one reading to the next.
 */
bool reading_log_is_trusted(const struct reading_log *log, uint32_t number);

#endif
