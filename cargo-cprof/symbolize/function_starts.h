/*
 * Where functions start in a file without symbols: the table for unwinding tells (LSB Core, "The
 * .eh_frame_hdr section"), in the one form that linkers write, with offsets of four bytes from the section.
 */
#ifndef SYMBOLIZE_FUNCTION_STARTS_H
#define SYMBOLIZE_FUNCTION_STARTS_H

#include "base/vec.h"
#include "elf/image.h"

/* Zero-initialised is empty; to be released with vec_done on `items`. */
struct function_starts {
    VEC(uint64_t) items; /* svma, rising */
};

/* Reads the table; none, one of another form or a damaged one gives no starts, or those before the damage. */
void function_starts_read(struct image *image, struct function_starts *out);

/* The last start at or before `svma`; false when there is none. */
bool function_starts_find(const struct function_starts *starts, uint64_t svma, uint64_t *start);

#endif
