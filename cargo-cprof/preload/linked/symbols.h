/* The functions of an allocator in a program's file, by its symbols. Any bytes may be such a file. */
#ifndef PRELOAD_LINKED_SYMBOLS_H
#define PRELOAD_LINKED_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "preload/linked/names.h"

/* A file of 64 bits, in memory at an address that 8 divides. */
struct symbols_file {
    const uint8_t *bytes;
    size_t size;
};

struct symbols_function {
    const struct linked_name *name;
    uint64_t svma; /* where the file has it in memory */
    size_t size;   /* in bytes, at least 1 */
    size_t offset; /* of its code, all of which is in the file */
};

enum { SYMBOLS_MOST_FUNCTIONS = 48 };

/*
 * Returns how many there are, each address once; as many as `out` has place for may be not all. Functions
 * with the C library's names count where others tell that they are jemalloc's. 0: there are none, or it is no
 * such file.
 */
size_t symbols_find_allocator(struct symbols_file file, struct symbols_function out[SYMBOLS_MOST_FUNCTIONS]);

/* Where the file has its program headers in memory. False: nowhere, or it is no such file. */
bool symbols_find_headers(struct symbols_file file, uint64_t *svma);

#endif
