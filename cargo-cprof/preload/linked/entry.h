/*
 * Where functions of the program are entered, so that another function is called in place of one, and can
 * call it. Of x86-64 alone.
 */
#ifndef PRELOAD_LINKED_ENTRY_H
#define PRELOAD_LINKED_ENTRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    ENTRY_JUMP_BYTES = 5,
    ENTRY_WAY_BYTES = 64, /* for one function */
};

struct entry {
    uint8_t *function;
    size_t moved_bytes; /* whole instructions, at least as long as a jump */
};

/*
 * Reads the `size` bytes of the function, all of them. False where its first instructions cannot stand
 * elsewhere: one is a call, or something jumps to one that is not the first; and where there are some that
 * instruction_read does not know.
 */
bool entry_plan(uint8_t *function, size_t size, struct entry *out);

/*
 * Writes ENTRY_WAY_BYTES to `way`, which are within 2 GiB of the function: a jump to `instead`, and what
 * calls the function as it was once entry_divert has been called. Returns the address of that, or 0 where the
 * way is too far.
 */
uintptr_t entry_make_way(const struct entry *entry, uint8_t *way, uintptr_t instead);

/* Has the function begin with a jump to `way`. Its memory can be written to, and nobody is in it. */
void entry_divert(const struct entry *entry, const uint8_t *way);

#endif
