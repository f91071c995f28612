/* Which boxes of a flame graph are too narrow to be in it. */
#ifndef PAGE_FLAME_LEAST_WEIGHT_H
#define PAGE_FLAME_LEAST_WEIGHT_H

#include "page/flame_graph.h"

/*
 * The least weight of frames that are drawn, from 1 to the root's: `min_width_px` is as of struct flame_look,
 * the picture is `width_px` wide, and where it would be larger than FLAME_MOST_BYTES the narrowest go.
 */
uint64_t flame_least_weight(const struct flame_frame *frames, size_t count, double min_width_px,
                            unsigned width_px);

#endif
