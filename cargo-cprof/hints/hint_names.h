/* Which functions are signs of which hint, by their names. */
#ifndef HINTS_HINT_NAMES_H
#define HINTS_HINT_NAMES_H

#include <stdint.h>

#include "base/slice.h"

/* Bit N set: a call of the function is a sign of the hint of kind N (enum hint_kind). */
uint32_t hint_kinds_of_name(struct slice name);

/* Kinds that count only where samples were taken in the function itself. */
extern const uint32_t hint_kinds_of_innermost;

/* Kinds that count as panics alone where a panic calls them: its message and backtrace are written. */
extern const uint32_t hint_kinds_of_panics;

/* Kinds that an allocator of the program's does for whoever calls it. */
extern const uint32_t hint_kinds_of_memory;

/* What a function is in stacks that read or write, or make room. */
enum hint_role {
    /*
     * Samples in it, below a read or write, are what the call costs whatever it moves: getting into the
     * kernel and out, finding the file and who may do it. Calls that move little cost little else.
     */
    HINT_ROLE_CALL_COST = 1,
    /* Reads and writes below it go through a buffer. */
    HINT_ROLE_BUFFER = 2,
    /* It writes each line by itself, as std's stdout: a buffer below saves no write. */
    HINT_ROLE_LINE_WRITER = 4,
    /* Called when a buffer has no more room: as much as it holds is written then. */
    HINT_ROLE_FULL_BUFFER = 8,
    /* It makes room that there is larger: a Vec's first room is got otherwise. */
    HINT_ROLE_REALLOC = 16,
    /* The page fault is not of new memory, but of a file's or of what is shared. */
    HINT_ROLE_OTHER_FAULT = 32,
    /* The kernel does it for whoever records: a thread that starts gets its events. */
    HINT_ROLE_RECORDERS = 64,
    /* A signal's handler returns to it: what stands below was interrupted and has called nothing of this. */
    HINT_ROLE_SIGNAL_RETURN = 128,
    /* Every allocation of the program goes through it: its caller has asked for the memory. */
    HINT_ROLE_ALLOCATOR = 256,
    /* It asks the system to close, remove, unmap or write a file or connection: what is dropped is no memory.
     */
    HINT_ROLE_FILE_CALL = 512,
};

/* The roles, enum hint_role together, of a function of that name, which is a sign of these kinds. */
uint32_t hint_roles_of_name(struct slice name, uint32_t kinds);

#endif
