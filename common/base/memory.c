#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Noreturn void out_of_memory(size_t count, size_t size)
{
    fprintf(stderr, "error: out of memory (asked for %zu times %zu bytes)\n", count, size);
    exit(1);
}

void *memory_new(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size ? size : 1);

    if (!memory)
        out_of_memory(count, size);
    return memory;
}

void *memory_resize(void *memory, size_t count, size_t size)
{
    void *resized = reallocarray(memory, count ? count : 1, size ? size : 1);

    if (!resized)
        out_of_memory(count, size);
    return resized;
}

void memory_free_at(void *pointer)
{
    void *memory = NULL;

    memcpy(&memory, pointer, sizeof(memory));
    free(memory);
}
