/*
 * Memory for many small things that live and die together: strings of a command, a
 * step's scratch. Nothing is freed one by one; addresses never move. Zero-initialised
 * is empty and ready. Under AddressSanitizer each object is followed by a poisoned gap.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

#include "base/compiler.h"
#include "base/slice.h"

struct arena_block;

struct arena {
    struct arena_block *newest; /* owned; the block that is being filled */
    size_t used_bytes;          /* of the newest block */
};

/* Frees everything that came from the arena, which is then empty and usable again. */
void arena_done(struct arena *arena);

/* `count * size` zeroed bytes, aligned for any type. Never NULL. */
void *arena_array(struct arena *arena, size_t count, size_t size);

/* A NUL-terminated copy. */
char *arena_copy(struct arena *arena, struct slice text);

/* The same as a slice; the NUL is behind it. */
struct slice arena_slice(struct arena *arena, struct slice text);

/* A NUL-terminated formatted string. */
char *arena_format(struct arena *arena, const char *format, ...) PRINTF_LIKE(2, 3);

#define ARENA_NEW(arena, type) ((type *)arena_array(arena, 1, sizeof(type)))
#define ARENA_ARRAY(arena, count, type) ((type *)arena_array(arena, count, sizeof(type)))

#endif
