/* The functions of an allocator in the program that runs. */
#ifndef PRELOAD_LINKED_PROGRAM_H
#define PRELOAD_LINKED_PROGRAM_H

#include <stddef.h>
#include <stdint.h>

#include "preload/linked/symbols.h"

struct linked_function {
    const struct linked_name *name;
    uint8_t *code; /* as it is in memory, which is as the file has it */
    size_t size;   /* in bytes, at least 1 */
};

/*
 * Returns how many there are, each address once; as many as `out` has place for may be not all. 0: there are
 * none, or the file, its symbols or where it is in memory are not to be known.
 */
size_t program_find_allocator(struct linked_function out[SYMBOLS_MOST_FUNCTIONS]);

#endif
