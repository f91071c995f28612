/*
 * What assemblers and linkers put between functions so that the next one is aligned:
 * no-operation instructions, traps, zeros. They differ by machine.
 */
#ifndef SIZE_PADDING_H
#define SIZE_PADDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/slice.h"

/* How the padding of a section looks. */
struct padding_style {
    uint16_t machine; /* EM_* */
    bool big_endian;
    bool is_code; /* false: the section is data, where only zeros are padding */
};

/* Where the content of a gap between two functions is; what is around it is padding. */
struct padding_split {
    size_t content_start; /* offset of the first byte that is not padding; the gap's length when all is */
    size_t content_end;   /* offset past the last one; at least content_start */
};

/*
 * Tells padding from content in the bytes between two functions. Padding at the end is only
 * what reads as whole instructions up to the end; zeros are padding at either end only when
 * the whole gap is padding, because they also end instructions. O(length).
 *
 * Machines without a table of their own: a gap of zeros, or one shorter than
 * PADDING_LONGEST_GUESS bytes that ends on a 4-byte boundary, is padding.
 */
struct padding_split padding_split(const struct padding_style *style, struct slice gap, uint64_t gap_svma);

enum { PADDING_LONGEST_GUESS = 16 };

#endif
