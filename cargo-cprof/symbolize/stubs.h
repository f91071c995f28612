/*
 * The stubs by which a file's code calls functions of other files (gABI, "Procedure Linkage Table"). Each
 * jumps to an address that the loader stores in a place of its own.
 */
#ifndef SYMBOLIZE_STUBS_H
#define SYMBOLIZE_STUBS_H

#include "symbolize/code_slots.h"

/* Of one file; zero-initialised is ready, to be released with stubs_done, and ready for another file then. */
struct stubs {
    struct code_slots slots;
    bool is_read;
};

/* Whether `svma` lies among them. */
bool stubs_are_at(const struct image *image, uint64_t svma);

/*
 * The place that the stub around `svma` jumps through. False where that is no stub, is of another
 * machine than x86-64 and AArch64, or jumps through none of its own, as what has the loader find the
 * function; and where the file cannot be read.
 */
bool stubs_find_place(const struct image *image, uint64_t svma, uint64_t *place_svma);

/* What the loader puts into that place; NULL where that is not known. Valid until stubs_done. */
const struct code_slot *stubs_find(struct stubs *stubs, struct image *image, uint64_t svma);

void stubs_done(struct stubs *stubs);

#endif
