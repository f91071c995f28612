/*
 * Walks up a thread's stack mostly go through the calls of the walk before. Each step of a walk follows from
 * the registers before it and the words that it reads, so one whose registers and words are still the same is
 * not taken anew: a comparison takes a tenth of the time, and the processor fetches all the words at once,
 * where a walk has to wait for each before it knows the next.
 */
#ifndef UNWIND_REPEAT_H
#define UNWIND_REPEAT_H

#include "unwind/unwind.h"

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
