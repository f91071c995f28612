#include "base/memory.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

_Noreturn void memory_exhausted(size_t count, size_t size)
{
    fprintf(stderr, "%s: error: out of memory (asked for %zu times %zu bytes)\n",
            program_invocation_short_name, count, size);
    exit(1);
}

void *memory_new(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size ? size : 1);

    if (!memory)
        memory_exhausted(count, size);
    return memory;
}

void *memory_new_unset(size_t count)
{
    enum { LARGE_PAGE_BYTES = 2 << 20 };
    bool is_large = count >= LARGE_PAGE_BYTES;
    void *memory = NULL;

    if (posix_memalign(&memory, is_large ? LARGE_PAGE_BYTES : sizeof(void *), count ? count : 1) != 0)
        memory_exhausted(count, 1);
    /* Small pages do as well where the kernel has no large ones. */
    if (is_large)
        (void)madvise(memory, count - count % LARGE_PAGE_BYTES, MADV_HUGEPAGE);
    return memory;
}

void *memory_new_sparse(size_t count)
{
    void *memory = mmap(NULL, count ? count : 1, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (memory == MAP_FAILED)
        memory_exhausted(count, 1);
    /* A large page would be there as a whole after the first byte. */
    (void)madvise(memory, count, MADV_NOHUGEPAGE);
    return memory;
}

void memory_free_sparse(void *memory, size_t count)
{
    munmap(memory, count ? count : 1);
}

void *memory_resize(void *memory, size_t count, size_t size)
{
    void *resized = reallocarray(memory, count ? count : 1, size ? size : 1);

    if (!resized)
        memory_exhausted(count, size);
    return resized;
}

void memory_free_at(void *pointer)
{
    void *memory = NULL;

    memcpy(&memory, pointer, sizeof(memory));
    free(memory);
}
