/* One box of a flame graph as it stands in the file: what is written tens of thousands of times. */
#ifndef PAGE_FLAME_BOX_H
#define PAGE_FLAME_BOX_H

#include "base/text.h"

/* In pixels; across, parts of the whole. */
struct flame_box {
    uint64_t start, weight, whole;
    unsigned top, height;
};

/* A distance from the left as an attribute's value: "12.3456%" without zeros at the end. */
void flame_box_add_distance(struct text *svg, uint64_t part, uint64_t whole);

/* The box itself, an element <rect>. */
void flame_box_add_rect(struct text *svg, const struct flame_box *box);

/* The figures of one as flame.js reads them: "120,4,17,0". */
void flame_box_add_data(struct text *svg, uint64_t start, uint64_t weight, uint64_t depth, uint64_t look);

#endif
