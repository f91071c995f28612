#include "base/arena.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#if defined(__SANITIZE_ADDRESS__)
#define ARENA_POISONS 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ARENA_POISONS 1
#endif
#endif

#ifdef ARENA_POISONS
#include <sanitizer/asan_interface.h>
enum { GAP_BYTES = 16 };
#else
#define ASAN_POISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
enum { GAP_BYTES = 0 };
#endif

enum { BLOCK_BYTES = 32 * 1024 };

struct arena_block {
    struct arena_block *older;
    size_t size_bytes; /* of `bytes` */
    alignas(max_align_t) char bytes[];
};

static void add_block(struct arena *arena, size_t least_bytes)
{
    size_t size = least_bytes > BLOCK_BYTES ? least_bytes : BLOCK_BYTES;
    struct arena_block *block = memory_new(1, sizeof(*block) + size);

    block->older = arena->newest;
    block->size_bytes = size;
    arena->newest = block;
    arena->used_bytes = 0;
    ASAN_POISON_MEMORY_REGION(block->bytes, size);
}

void arena_done(struct arena *arena)
{
    while (arena->newest) {
        struct arena_block *block = arena->newest;

        arena->newest = block->older;
        ASAN_UNPOISON_MEMORY_REGION(block->bytes, block->size_bytes);
        free(block);
    }
    arena->used_bytes = 0;
}

void *arena_array(struct arena *arena, size_t count, size_t size)
{
    const size_t alignment = alignof(max_align_t);
    size_t wanted = 0;
    size_t taken = 0;
    char *memory = NULL;

    /* A product that does not fit is more memory than there is. */
    if (__builtin_mul_overflow(count, size, &wanted) || wanted > SIZE_MAX / 2)
        memory_exhausted(count, size);
    taken = (wanted + GAP_BYTES + alignment - 1) / alignment * alignment;
    if (!arena->newest || arena->newest->size_bytes - arena->used_bytes < taken)
        add_block(arena, taken);
    memory = arena->newest->bytes + arena->used_bytes;
    arena->used_bytes += taken;
    ASAN_UNPOISON_MEMORY_REGION(memory, wanted);
    return memory;
}

char *arena_copy(struct arena *arena, struct slice text)
{
    char *copy = arena_array(arena, text.length + 1, 1);

    if (text.length > 0)
        memcpy(copy, text.data, text.length);
    return copy;
}

struct slice arena_slice(struct arena *arena, struct slice text)
{
    return (struct slice){arena_copy(arena, text), text.length};
}

char *arena_format(struct arena *arena, const char *format, ...)
{
    va_list arguments;
    va_list again;
    int length = 0;
    char *formatted = NULL;

    va_start(arguments, format);
    va_copy(again, arguments);
    length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    formatted = arena_array(arena, (size_t)(length > 0 ? length : 0) + 1, 1);
    if (length > 0)
        vsnprintf(formatted, (size_t)length + 1, format, again);
    va_end(again);
    return formatted;
}
