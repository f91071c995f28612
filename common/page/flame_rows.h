/*
 * Which boxes of a flame graph are wide enough to be seen, row by row. Of those that are not, as many as fill
 * the least width together are shown as one, the last of them: their caller is not empty there. The first
 * behind a gap is shown as it is: no stack seems to end before it does. flame.js goes by the same rule
 * whatever is zoomed to.
 */
#ifndef PAGE_FLAME_ROWS_H
#define PAGE_FLAME_ROWS_H

#include "base/vec.h"
#include "page/flame_graph.h"

/* The least widths in pixels: beside other boxes, and alone. */
#define FLAME_LEAST_PX 1.0
#define FLAME_LONE_PX 0.1

/* A row from the left up to the frame that was placed last. */
struct flame_row {
    uint64_t edge; /* where what is not shown yet begins */
    uint64_t end;  /* of that frame */
};

/* To be set up with flame_rows_begin and released with flame_rows_done. */
struct flame_rows {
    uint64_t least; /* FLAME_LEAST_PX in units of weight, */
    uint64_t lone;  /* and FLAME_LONE_PX */
    VEC(struct flame_row) items;
};

/* Of a picture of `whole` on so many pixels. */
void flame_rows_begin(struct flame_rows *rows, uint64_t whole, unsigned width_px);
void flame_rows_done(struct flame_rows *rows);

/*
 * The next frame, in the order of a walk from the root. Whether it is shown; then `start` is where, which is
 * left of the frame's own start where it stands for others, too.
 */
bool flame_rows_place(struct flame_rows *rows, const struct flame_frame *frame, uint64_t *start);

#endif
