/*
 * Code that no symbol covers, as the table for unwinding divides it (LSB Core, "Exception Frame Header"):
 * into functions, and what lies between two of them.
 */
#ifndef SYMBOLIZE_STRETCHES_H
#define SYMBOLIZE_STRETCHES_H

#include "dwarf/cfi_lookup.h"

/* Zero-initialised is ready; to be released with stretches_done, and ready for another file then. */
struct stretches {
    struct cfi_lookup *lookup; /* NULL: there is none, or nobody asked yet */
    bool is_asked;
};

struct stretch {
    uint64_t start; /* svma */
    bool is_function;
};

/* The stretch of the file that holds `svma`; false when nothing tells. The image must outlive the stretches.
 */
bool stretches_find(struct stretches *stretches, struct image *image, uint64_t svma, struct stretch *out);

void stretches_done(struct stretches *stretches);

#endif
