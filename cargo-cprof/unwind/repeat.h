/*
 * Walks up a thread's stack mostly go through the calls of the walk before. Each step of a walk follows from
 * the registers before it and the words that it reads, so one whose registers and words are still the same is
 * not taken anew: a comparison takes a tenth of the time, and the processor fetches all the words at once,
 * where a walk has to wait for each before it knows the next.
 */
#ifndef UNWIND_REPEAT_H
#define UNWIND_REPEAT_H

#include "unwind/unwind.h"

/* A register that is followed up the stack. Few calls need its value, so where it was stored is enough. */
struct unwind_register {
    enum { REGISTER_UNKNOWN, REGISTER_VALUE, REGISTER_STORED } kind;
    uint64_t value; /* or the address of a word of the copy */
};

/* What is known of a frame. All registers but these are known of the innermost frame alone. */
struct unwind_state {
    uint64_t ip, sp;
    struct unwind_register fp, bp;
    struct unwind_register link; /* of what a signal interrupted alone */
    bool is_innermost;
    bool is_exact;      /* ip is the instruction itself, not one behind a call */
    bool has_left_copy; /* a signal's frame led to a stack that the copy is not of */
    bool sp_is_guess;   /* a frame pointer led here, from a function that had moved the stack pointer */
};

struct unwind_repeats; /* opaque: what is kept of walks, of a few threads */

struct unwind_repeats *unwind_repeats_new(void);
void unwind_repeats_free(struct unwind_repeats *repeats);

/* Begins a walk of the request's thread and generation. */
void repeat_begin(struct unwind_repeats *repeats, const struct unwind_request *request);

/* The step that is being taken has read this word of the copy, or past it. */
void repeat_note_word(struct unwind_repeats *repeats, uint64_t address, uint64_t value);
void repeat_note_word_past_copy(struct unwind_repeats *repeats, uint64_t address, uint64_t value);

/* What the step does depends on more than the state before it and those words. */
void repeat_note_other(struct unwind_repeats *repeats);

/* A step was taken from `before`: it found `frame`. */
void repeat_add(struct unwind_repeats *repeats, const struct unwind_state *before,
                const struct unwind_frame *frame);

/*
 * Takes the steps of the walk before that lead on from `state` and still hold; their frames go to `frames`,
 * `room` at most. Returns how many; `state` is then the one behind them. Those that read past the copy come
 * after one that was taken: the first such reading tells the request's owner which frames the copy had.
 */
size_t repeat_steps(struct unwind_repeats *repeats, const struct unwind_request *request,
                    struct unwind_state *state, struct unwind_frame *frames, size_t room);

#endif
