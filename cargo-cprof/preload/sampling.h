/* Which allocations are told of: the first few thousand, then fewer and fewer. */
#ifndef PRELOAD_SAMPLING_H
#define PRELOAD_SAMPLING_H

#include <stddef.h>
#include <stdint.h>

#include "preload/told.h"

/*
 * The program was given memory there: it asked for `size` bytes, and has `taken`. As it is taken back `known`
 * will be known to have been asked for.
 */
void sampling_given(uintptr_t pointer, size_t size, size_t known, size_t taken);

/* It is about to be taken back. */
void sampling_taken(uintptr_t pointer, size_t known, size_t taken);

struct sampling_taken {
    struct told told; /* set where it was told */
    bool is_told;
};

/* The same where that may be refused; it is known as it was then once more. */
void sampling_try_taken(uintptr_t pointer, size_t known, size_t taken, struct sampling_taken *out);
void sampling_kept_still(uintptr_t pointer, size_t known, size_t taken, const struct sampling_taken *after);

/* This thread ends, or the process does: tells what it was given since it told last. */
void sampling_end_thread(void);

/* It will be gone soon. */
void sampling_give_slot(void);

/* How much memory the process has; asked for as that is told, so that it is in order. */
int64_t sampling_kept(void);

/* The most that it ever had when that was told, with what malloc gave beyond what it was asked for. */
int64_t sampling_most(void);

/* A process was forked off, with this thread alone. */
void sampling_begin_child(void);

#endif
