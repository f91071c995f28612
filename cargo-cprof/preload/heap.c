/*
 * The C library's functions that give memory, by their names (linked/ has those that programs bring): each
 * asks the next library that has it, the program's own one, and has sampling.c note what was given and taken
 * back. Rust's System allocator, C and C++ all come here, in this and in what the C library does for itself.
 */
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "preload/elsewhere.h"
#include "preload/sampling.h"
#include "preload/sizes.h"
#include "preload/system.h"

#define EXPORTED __attribute__((visibility("default")))

/* The C library's own names, for where there is no dlsym. */
void *__libc_malloc(size_t size) __attribute__((weak));
void *__libc_calloc(size_t count, size_t size) __attribute__((weak));
void *__libc_realloc(void *pointer, size_t size) __attribute__((weak));
void *__libc_memalign(size_t alignment, size_t size) __attribute__((weak));
void __libc_free(void *pointer) __attribute__((weak));
#pragma weak dlsym

struct next {
    void *(*malloc)(size_t size);
    void *(*calloc)(size_t count, size_t size);
    void *(*realloc)(void *pointer, size_t size);
    void *(*memalign)(size_t alignment, size_t size);
    void *(*aligned_alloc)(size_t alignment, size_t size); /* NULL: there is none */
    void (*free)(void *pointer);
    size_t (*malloc_usable_size)(void *pointer);
    int (*munmap)(void *address, size_t length);
};

static struct next next;

/* --- What is given before the next functions are known: dlsym may ask for memory itself ------------ */

enum { EARLY_BYTES = 64 << 10, ALIGNMENT = 16, PAGE_BYTES = 4096 };

static _Alignas(ALIGNMENT) char early[EARLY_BYTES];
static size_t early_used;

static void *early_give(size_t size)
{
    size_t rounded = (size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
    size_t at = 0;

    if (size > EARLY_BYTES)
        return NULL;
    at = __atomic_fetch_add(&early_used, rounded, __ATOMIC_RELAXED);
    return at + rounded <= EARLY_BYTES ? early + at : NULL;
}

static bool is_early(const void *pointer)
{
    return (uintptr_t)pointer - (uintptr_t)early < EARLY_BYTES;
}

/* --- The next functions ---------------------------------------------------------------------------- */

static void *find(const char *name, void *instead)
{
    void *found = dlsym ? dlsym(RTLD_NEXT, name) : NULL;

    return found ? found : instead;
}

static size_t no_size(void *pointer)
{
    (void)pointer;
    return 0;
}

static int unmap_by_system(void *address, size_t length)
{
    long result = SYSTEM_CALL(SYS_munmap, (long)address, (long)length);

    if (!is_failure(result))
        return 0;
    errno = (int)-result;
    return -1;
}

/* More than one thread may find them, which then are the same. False while they are being found. */
static __attribute__((noinline)) bool find_next(void)
{
    static __thread bool is_finding;
    struct next found;

    if (is_finding)
        return false;
    is_finding = true;
    found.calloc = (void *(*)(size_t, size_t))find("calloc", (void *)__libc_calloc);
    found.realloc = (void *(*)(void *, size_t))find("realloc", (void *)__libc_realloc);
    found.memalign = (void *(*)(size_t, size_t))find("memalign", (void *)__libc_memalign);
    found.aligned_alloc = (void *(*)(size_t, size_t))find("aligned_alloc", NULL);
    found.free = (void (*)(void *))find("free", (void *)__libc_free);
    found.malloc_usable_size = (size_t(*)(void *))find("malloc_usable_size", (void *)no_size);
    found.munmap = (int (*)(void *, size_t))find("munmap", (void *)unmap_by_system);
    found.malloc = (void *(*)(size_t))find("malloc", (void *)__libc_malloc);
    is_finding = false;
    next.calloc = found.calloc;
    next.realloc = found.realloc;
    next.memalign = found.memalign;
    next.aligned_alloc = found.aligned_alloc;
    next.free = found.free;
    next.malloc_usable_size = found.malloc_usable_size;
    next.munmap = found.munmap;
    __atomic_store_n(&next.malloc, found.malloc, __ATOMIC_RELEASE);
    return true;
}

static inline bool has_next(void)
{
    return __builtin_expect(__atomic_load_n(&next.malloc, __ATOMIC_ACQUIRE) != NULL, 1) || find_next();
}

/* --- By name ----------------------------------------------------------------------------------------- */

/*
 * musl's calloc asks malloc by its name, its memalign asks aligned_alloc, and so come here once more: of one
 * that is asked now only what that gives in the end is noted.
 */
static __thread bool is_asked;

static inline void *noted(void *pointer, size_t size)
{
    size_t taken = 0;

    if (!pointer || is_asked)
        return pointer;
    taken = next.malloc_usable_size(pointer);
    sampling_given((uintptr_t)pointer, size, sizes_note((uintptr_t)pointer, size > 0 ? size : 1, taken),
                   taken);
    return pointer;
}

EXPORTED void *malloc(size_t size)
{
    return has_next() ? noted(next.malloc(size), size) : early_give(size);
}

/* By a name that no program has. */
void *own_malloc(size_t size)
    __attribute__((malloc, leaf, nothrow, alloc_size(1), alias("malloc"), visibility("hidden")));

uintptr_t heap_own_malloc(void)
{
    return (uintptr_t)own_malloc;
}

/* One of two numbers, whose bytes are `size`. */
static void *asked_of(void *(*function)(size_t first, size_t second), size_t first, size_t second,
                      size_t size)
{
    bool before = is_asked;
    void *pointer = NULL;

    is_asked = true;
    pointer = function(first, second);
    is_asked = before;
    return noted(pointer, size);
}

EXPORTED void *calloc(size_t count, size_t size)
{
    size_t all = 0;

    if (has_next())
        return asked_of(next.calloc, count, size, count * size);
    return __builtin_mul_overflow(count, size, &all) ? NULL : early_give(all);
}

EXPORTED void free(void *pointer)
{
    size_t taken = 0;

    if (!pointer || is_early(pointer))
        return;
    if (!has_next())
        return;
    /* Before another thread may be given the same. */
    taken = next.malloc_usable_size(pointer);
    sampling_taken((uintptr_t)pointer, sizes_of((uintptr_t)pointer, taken), taken);
    next.free(pointer);
}

static void *grow_early(const void *pointer, size_t size)
{
    size_t known = (size_t)(early + EARLY_BYTES - (const char *)pointer);
    void *grown = malloc(size);

    if (grown)
        memcpy(grown, pointer, size < known ? size : known);
    return grown;
}

EXPORTED void *realloc(void *pointer, size_t size)
{
    struct sampling_taken given_back;
    size_t taken = 0;
    size_t known = 0;
    void *moved = NULL;

    if (pointer && is_early(pointer))
        return grow_early(pointer, size);
    if (!has_next())
        return pointer ? NULL : early_give(size);
    taken = pointer ? next.malloc_usable_size(pointer) : 0;
    known = pointer ? sizes_of((uintptr_t)pointer, taken) : 0;
    if (pointer)
        sampling_try_taken((uintptr_t)pointer, known, taken, &given_back);
    moved = noted(next.realloc(pointer, size), size);
    /* Where it fails what was there stays. */
    if (!moved && pointer && size > 0)
        sampling_kept_still((uintptr_t)pointer, known, taken, &given_back);
    return moved;
}

EXPORTED void *reallocarray(void *pointer, size_t count, size_t size)
{
    size_t all = 0;

    if (!__builtin_mul_overflow(count, size, &all))
        return realloc(pointer, all);
    errno = ENOMEM;
    return NULL;
}

EXPORTED void *memalign(size_t alignment, size_t size)
{
    return has_next() ? asked_of(next.memalign, alignment, size, size) : NULL;
}

EXPORTED void *valloc(size_t size)
{
    return memalign(PAGE_BYTES, size);
}

EXPORTED void *pvalloc(size_t size)
{
    return size > SIZE_MAX - PAGE_BYTES
               ? NULL
               : memalign(PAGE_BYTES, (size + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES);
}

EXPORTED void *aligned_alloc(size_t alignment, size_t size)
{
    return has_next() && next.aligned_alloc ? asked_of(next.aligned_alloc, alignment, size, size)
                                            : memalign(alignment, size);
}

EXPORTED int posix_memalign(void **out, size_t alignment, size_t size)
{
    void *pointer = NULL;
    int before = errno;

    if (alignment % sizeof(void *) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0)
        return EINVAL;
    pointer = memalign(alignment, size);
    errno = before;
    if (!pointer)
        return ENOMEM;
    *out = pointer;
    return 0;
}

/* Memory that the program maps for itself is not told, but that it had much of it is. */
EXPORTED int munmap(void *address, size_t length)
{
    enum { MUCH = 1 << 20 };

    if (!has_next())
        return unmap_by_system(address, length);
    if (length >= MUCH)
        elsewhere_give_back();
    return next.munmap(address, length);
}
