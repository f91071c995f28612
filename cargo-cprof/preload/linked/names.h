/*
 * The functions of allocators that programs link in, by the names that they have there: jemalloc's
 * (jemalloc(3)), mimalloc's (mimalloc.h) and those that the crate snmalloc-sys calls.
 */
#ifndef PRELOAD_LINKED_NAMES_H
#define PRELOAD_LINKED_NAMES_H

#include <stdbool.h>
#include <stdint.h>

enum { LINKED_ARGUMENTS = 4 };

enum linked_work {
    LINKED_GIVE,          /* returns it */
    LINKED_GIVE_TO,       /* writes it to where `pointer` says, and returns 0 */
    LINKED_GROW,          /* returns where it is then */
    LINKED_GROW_IN_PLACE, /* returns how much there is then */
    LINKED_TAKE,
};

/* Arguments by their numbers, from 0 on. */
struct linked_name {
    const char *name;
    uint8_t work;
    uint8_t pointer; /* the memory that there was, or where to write it; of no meaning for LINKED_GIVE */
    uint8_t size;    /* in bytes; of no meaning for LINKED_TAKE */
    uint8_t count;   /* of so many bytes each; LINKED_ARGUMENTS: it is one */
};

/* NULL for any other name. `is_bare`: jemalloc's without a prefix, as the C library has them, too. */
const struct linked_name *linked_name_find(const char *name, bool *is_bare);

/* Whether a function of that name is jemalloc's, with or without a prefix, and no other allocator's. */
bool linked_name_is_of_jemalloc(const char *name);

#endif
