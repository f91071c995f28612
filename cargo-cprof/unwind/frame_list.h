/* The outer calls of one stack, as two walks have found them. */
#ifndef UNWIND_FRAME_LIST_H
#define UNWIND_FRAME_LIST_H

#include "unwind/unwind.h"

/* Borrowed; the innermost first. */
struct frame_list {
    const struct unwind_frame *items;
    size_t count;
};

#define FRAME_LIST_AGREES SIZE_MAX

/*
 * The place of the first frame of `other` that contradicts `known`, or FRAME_LIST_AGREES. A walk that did not
 * come to its end, `is_whole` says, tells nothing beyond the address of its last frame.
 */
size_t frame_list_contradiction(struct frame_list known, struct frame_list other, bool is_whole);

#endif
