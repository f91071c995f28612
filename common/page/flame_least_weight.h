/* Which boxes of a flame graph are too narrow to be in it. */
#ifndef PAGE_FLAME_LEAST_WEIGHT_H
#define PAGE_FLAME_LEAST_WEIGHT_H

#include "page/flame_graph.h"

/* What a frame needs to be drawn: more than this weight, or just this and a row near the root. */
struct flame_least {
    uint64_t weight; /* from 1 to the root's */
    uint32_t rows;   /* how many rows show frames of just this weight; UINT32_MAX: all */
    size_t bytes;    /* about what they take in the file, at most FLAME_MOST_BYTES */
};

static inline bool flame_least_allows(struct flame_least least, const struct flame_frame *frame)
{
    return frame->weight > least.weight || (frame->weight == least.weight && frame->depth < least.rows);
}

/* The least weight, at least 1, of boxes that are so many pixels wide in a picture of `whole`. */
uint64_t flame_weight_of_width(double width_px, uint64_t whole, unsigned picture_px);

/*
 * Which frames are drawn: `min_width_px` is as of struct flame_look, the picture is `width_px` wide, and
 * where it would be larger than FLAME_MOST_BYTES the narrowest go, of one weight those farthest from the
 * root. A frame that stays has its caller.
 */
struct flame_least flame_least_weight(const struct flame_frame *frames, size_t count, double min_width_px,
                                      unsigned width_px);

#endif
