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

enum program_end {
    PROGRAM_HAS_NONE,   /* or its file, its symbols or where it is in memory are not to be known */
    PROGRAM_HAS_OTHERS, /* that are not in memory as in the file (relocations in code), or more than `out`
                           holds */
    PROGRAM_HAS_THESE,
};

/* `count` is of `out`, each address once: all of them with PROGRAM_HAS_THESE, else 0. */
enum program_end program_find_allocator(struct linked_function out[SYMBOLS_MOST_FUNCTIONS], size_t *count);

#endif
