/*
 * Stacks deeper than the copy that comes with a sample: their outer part is read from the process itself a
 * little later, when the sample is walked. By then the thread may have returned and called anew, and what is
 * left below its stack pointer may still look like the sample's frames, under other callers. So an outer part
 * is taken only if
 *
 *   - the reading still holds the last words of the copy, where inner and outer part meet;
 *   - the reading is proved: the thread's samples just before and just after it were in these frames, too;
 *     or a proved one from before the sample shows the same callers;
 *   - readings from around that time do not show now these callers, now others above the same last words,
 *     as of code that is called from two places in turn and writes the very same words under either;
 *   - the thread was hardly ever read while it went from one function to another.
 *
 * A reading may meet the thread between two calls, too, when what is left of the frames lies under those of
 * another function. Where a return address then stands behind a call that cannot have led to the function
 * below, or the frames lead nowhere that led to the thread's start a moment before, the reading tells nothing
 * of anybody's callers, and one of many may be like that.
 *
 * Nothing here knows of processes: the caller supplies the memory.
 */
#ifndef UNWIND_OUTER_H
#define UNWIND_OUTER_H

#include "unwind/crossings.h"

enum outer_outcome {
    OUTER_NOT_NEEDED, /* the copy had all that the walk asked for */
    OUTER_COMPLETED,  /* the frames past `known_count` come from memory; outer_verdict tells whether to keep
                         them */
    OUTER_REFUSED,    /* memory could not be read */
    OUTER_REJECTED,   /* memory had changed */
    OUTER_TOO_DEEP,   /* the stack goes on past what is read of one */
    OUTER_ELSEWHERE,  /* it goes on on another stack, of which nothing is sure */
};

/* A stack that was completed. */
struct outer_candidate {
    uint32_t thread; /* as outer_thread_number tells it */
    uint32_t round;
    uint32_t reading;     /* the thread's last one by then; 0: the stack itself was in the copy */
    bool needs_proof;     /* of that reading */
    uint64_t known_start; /* the words compared begin here */
    bool is_of_round;     /* all readings were made since the sample was taken */
    bool is_of_handler;   /* of a signal, on a stack of its own */
    uint32_t crossing_count;
    struct crossing_use crossings[CROSSINGS_OF_WALK]; /* other stacks that it goes on on */
};

struct outer_thread; /* opaque */

/* To be set up with outer_init and released with outer_done. */
struct outer {
    VEC(struct outer_thread *) threads; /* owned; by outer_thread_number; NULL: never was too deep */
    VEC(struct unwind_frame) scratch;
    struct crossings crossings;
    reading_fn *read;
    uint32_t round;
    size_t total_bytes; /* of all readings that are kept */
};

/* A walk whose copy may be too short. */
struct outer_request {
    struct unwind_request walk; /* its `read` is not used */
    unwind_call_fn *may_call;   /* with the walk's context: false only for what is sure; NULL: nobody knows */
    uint32_t thread;            /* the caller's id: small numbers */
    bool is_cut;                /* the stack may go on past the copy */
    bool is_of_wait; /* the caller will know whether the thread was away from the sample until now: readings
                        for these are not held against others, nor are samples against them */
    void *context;   /* for the function that reads */
};

struct outer_result {
    enum unwind_end end;
    enum outer_outcome outcome;
    size_t known_count;               /* frames that the copy told, where OUTER_COMPLETED */
    struct outer_candidate candidate; /* set where OUTER_COMPLETED */
};

void outer_init(struct outer *outer, reading_fn *read);
void outer_done(struct outer *outer);

/* All samples walked from here on were taken before this call. */
void outer_begin_round(struct outer *outer);

/*
 * Walks as unwind() does, and on through memory. Frames that memory does not prove are left out, and the end
 * is UNWIND_UNREADABLE then.
 */
struct outer_result outer_unwind(struct outer *outer, const struct outer_request *request,
                                 struct unwinder *unwinder);

/*
 * Whether to keep a completed stack. OUTER_OPEN until the thread has been read often enough since, or a while
 * has passed; of a wait there is none. With `is_final` never open. Asked within OUTER_MOST_ROUNDS rounds of
 * the candidate.
 */
enum outer_verdict outer_verdict(const struct outer *outer, const struct outer_candidate *candidate,
                                 bool is_final);

/*
 * Of a walk that was just completed: whether a copy of so many bytes would have been as well, which are fewer
 * than it has.
 */
bool outer_completes_fewer(const struct outer *outer, const struct outer_request *request, size_t bytes);

/* How often the thread was read so far. */
uint32_t outer_reading_count(const struct outer *outer, uint32_t thread);

/* Gives back what is kept of a thread that has ended; verdicts stay. */
void outer_end_thread(struct outer *outer, uint32_t thread);

#endif
