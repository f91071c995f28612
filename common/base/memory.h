/*
 * Memory that is there or the process ends: running out prints one line and exits
 * with 1. Sizes taken from input are checked against the bytes that are really there
 * before they reach these.
 */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stddef.h>

/* `count * size` fresh zeroed bytes, to be freed with free(). */
void *memory_new(size_t count, size_t size);

/*
 * `count` bytes that are not set, at least one, to be freed with free(): for what is written from end to end
 * before it is read. Where it is large, fewer and larger pages are asked for (madvise(2), MADV_HUGEPAGE).
 */
void *memory_new_unset(size_t count);

/*
 * `count` zeroed bytes of which most will never be touched: what is not takes no memory. To be given back
 * with memory_free_sparse and the same count.
 */
void *memory_new_sparse(size_t count);
void memory_free_sparse(void *memory, size_t count);

/* realloc() to `count * size` bytes, never 0; the bytes past the old ones are not set. */
void *memory_resize(void *memory, size_t count, size_t size);

/* Ends the process with the line that says so. */
_Noreturn void memory_exhausted(size_t count, size_t size);

/* For SCOPED: frees what the pointer variable at `pointer` points to. */
void memory_free_at(void *pointer);

#endif
