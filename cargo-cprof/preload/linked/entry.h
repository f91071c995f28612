/*
 * Where functions of the program are entered, so that another function is called in place of one, and can
 * call it. What is written there and what is moved away for it are of one kind of processor.
 */
#ifndef PRELOAD_LINKED_ENTRY_H
#define PRELOAD_LINKED_ENTRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ENTRY_WAY_BYTES = 64 /* for one function */ };

struct entry {
    uint8_t *function;
    size_t moved_bytes; /* whole instructions, at least as long as a jump */
};

struct entry_machine {
    size_t jump_bytes; /* that a function begins with then */
    size_t reach;      /* in bytes: how far from the function a way may be */

    /*
     * Reads the `size` bytes of the function, all of them. False where its first instructions cannot stand
     * elsewhere, or something jumps to one of them that is not the first; and where there are some that are
     * not known here.
     */
    bool (*plan)(uint8_t *function, size_t size, struct entry *out);

    /*
     * Writes up to ENTRY_WAY_BYTES to `way`: a jump to `instead`, and what calls the function as it was once
     * `divert` has been called. Returns the address of that, or 0 where the way is too far.
     */
    uintptr_t (*make_way)(const struct entry *entry, uint8_t *way, uintptr_t instead);

    /* Has the function begin with a jump to `way`. Its memory can be written to, and nobody is in it. */
    void (*divert)(const struct entry *entry, const uint8_t *way);
};

extern const struct entry_machine entry_x86_64;
extern const struct entry_machine entry_aarch64; /* of little-endian ones */

#endif
