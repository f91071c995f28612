/*
 * Where the boxes of a treemap lie: squarified (Bruls, Huizing, van Wijk: Squarified Treemaps, 2000), so that
 * they are as near to squares as can be. treemap.js lays out by the same rules when people zoom.
 */
#ifndef PAGE_TREEMAP_LAYOUT_H
#define PAGE_TREEMAP_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

struct treemap_box {
    double x, y, width, height;
};

/*
 * Divides `room` among `count` weights, which fall from the first to the last and are none of them 0. `whole`
 * is the weight that all of the room stands for: at least their sum. Fills `boxes`, one for each.
 */
void treemap_lay_out(struct treemap_box room, uint64_t whole, const uint64_t *weights, size_t count,
                     struct treemap_box *boxes);

#endif
