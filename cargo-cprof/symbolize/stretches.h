/*
 * Code that no symbol covers, as the table for unwinding divides it (LSB Core, "Exception Frame Header"):
 * into functions, and what lies between two of them.
 */
#ifndef SYMBOLIZE_STRETCHES_H
#define SYMBOLIZE_STRETCHES_H

#include "dwarf/cfi_lookup.h"
#include "process/machine_code/frames.h"

/* Zero-initialised is ready; to be released with stretches_done, and ready for another file then. */
struct stretches {
    struct cfi_lookup *lookup; /* NULL: there is none, or nobody asked yet */
    bool is_asked;
    struct code_frames *code; /* NULL: nobody asked yet */
};

struct stretch {
    uint64_t start; /* svma */
    bool is_function;
};

/* The stretch of the file that holds `svma`; false when nothing tells. The image must outlive the stretches.
 */
bool stretches_find(struct stretches *stretches, struct image *image, uint64_t svma, struct stretch *out);

/*
 * Whether the code at `symbol_svma`, the last symbol before `svma`, leads there by its own instructions.
 * False also where nothing tells, as on other machines than x86-64. The image as above.
 */
bool stretches_lead(struct stretches *stretches, struct image *image, uint64_t symbol_svma, uint64_t svma);

void stretches_done(struct stretches *stretches);

#endif
