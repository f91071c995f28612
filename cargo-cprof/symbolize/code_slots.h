/*
 * What stands where calls go through memory: addresses that the loader puts there (gABI, "Global Offset
 * Table"), of functions of the file itself and of others.
 */
#ifndef SYMBOLIZE_CODE_SLOTS_H
#define SYMBOLIZE_CODE_SLOTS_H

#include "base/vec.h"
#include "elf/image.h"

/* One place, and what the loader puts into it. */
struct code_slot {
    uint64_t place_svma;
    uint64_t target_svma; /* where there is no name */
    struct slice name;    /* of the symbol; lives as long as the image */
    bool is_chosen; /* the function at target_svma, which has that name, says as the file starts what it is */
};

/* Zero-initialised is empty; to be released with code_slots_done. */
struct code_slots {
    VEC(struct code_slot) items; /* rising */
};

/* Which are read: programs at any address have a million without a name. */
enum code_slots_wanted { CODE_SLOTS_ALL, CODE_SLOTS_NAMED };

/*
 * Reads them from the relocations of a linked file; those of tables that cannot be read are left out, and so
 * are the names of functions that choose where the file's symbols are gone.
 */
void code_slots_read(struct image *image, enum code_slots_wanted wanted, struct code_slots *out);

void code_slots_done(struct code_slots *slots);

/* NULL where no relocation is. */
const struct code_slot *code_slots_find(const struct code_slots *slots, uint64_t place_svma);

#endif
