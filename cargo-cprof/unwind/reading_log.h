/*
 * What became of a thread's latest readings, by their numbers, which count up from 1; and whether what one of
 * them shows may be taken.
 */
#ifndef UNWIND_READING_LOG_H
#define UNWIND_READING_LOG_H

#include <stdbool.h>
#include <stdint.h>

enum {
    READINGS_NEAR = 8, /* on either side of a reading, that must not contradict each other; */
    READINGS_AROUND = 2 * READINGS_NEAR + 1, /* all of them */
    READINGS_BEFORE = 64,                    /* and more of them, before it */
    READINGS_AFTER = 24,                     /* and after it, that must not do so again and again */
    READINGS_LOGGED = 128,
    READINGS_OLD_ROUNDS = 32, /* when a stack stands though the thread was not read since */
};

/* What later readings and samples told of it. */
struct reading_status {
    bool is_proved;
    bool is_stale;     /* it met the thread between two calls */
    bool is_elsewhere; /* a neighbouring sample, as deep, was in other frames */
    bool is_doubtful;  /* it shows other callers than the reading before */
    uint64_t sp;       /* the frames that it is proved for are above */
};

/* Zero-initialised is empty. */
struct reading_log {
    struct reading_status items[READINGS_LOGGED];
    uint32_t count;     /* of all readings: the newest one's number */
    uint32_t round;     /* it was made in */
    bool is_open;       /* no sample from after it was seen */
    bool was_in_it;     /* the last sample from before it was in its frames, */
    bool was_elsewhere; /* or in others as deep; */
    uint64_t last_sp;   /* its stack pointer */
};

/* What a sample tells of the newest reading. */
struct reading_sight {
    bool is_in_it;
    bool is_elsewhere;
    uint64_t sp;
};

/* Another reading is made in this round. Returns its number. */
uint32_t reading_log_begin(struct reading_log *log, uint32_t round);

/* Of each sample in turn: those before and after a reading prove it or do not. */
void reading_log_notice(struct reading_log *log, uint32_t round, struct reading_sight sight);

/* Of one of the last READINGS_LOGGED readings. */
struct reading_status *reading_log_at(struct reading_log *log, uint32_t number);

/* Whether the reading is proved for frames that begin there. */
bool reading_log_proves(struct reading_log *log, uint32_t number, uint64_t known_start);

/* Whether to keep a stack that was completed from a reading. */
enum outer_verdict { OUTER_OPEN, OUTER_KEEP, OUTER_TAKE_BACK };

enum { OUTER_MOST_ROUNDS = 40 }; /* verdicts are asked for within so many */

/* What a stack was completed from, by now. */
struct reading_use {
    uint32_t number;
    bool is_proved;  /* or needs no proof */
    bool is_decided; /* nothing more will be known */
};

enum outer_verdict reading_log_verdict(struct reading_log *log, struct reading_use use);

#endif
