/*
 * A program with an allocator of its own, which has jemalloc's functions behind PREFIX, and knows what it
 * asks for:
 *
 *     linked           10 blocks of 1,000 bytes, of which it keeps 4; one of 100 that grows to 5,000, is then
 * refused to grow, and becomes 4,000; 300 of calloc, 640 of posix_memalign, 900 that were 700; 50 of the C
 *                      library's malloc, where that is another one
 *     linked threads   four threads ask for 50,000 blocks of 24 bytes each, and keep 100 of them
 *     linked long      has one block become as large as it is, 20,000,000 times
 *     linked fork      as without, and a child asks for 7,000 bytes
 *
 * -DCANNOT_BE_MOVED: one of the functions begins with such an instruction. -DRELOCATED: one has an address in
 * it, so that it is not in memory as in the file.
 */
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define JOINED(prefix, name) prefix##name
#define WITH(prefix, name) JOINED(prefix, name)
#define OWN(name) WITH(PREFIX, name)
#define NOINLINE __attribute__((noinline, noclone))

enum { POOL_BYTES = 256 << 20, HEADER_BYTES = 16 };

static char pool[POOL_BYTES] __attribute__((aligned(64)));
static size_t pool_used;

NOINLINE static void *take_of_pool(size_t size, size_t alignment)
{
    size_t all = HEADER_BYTES + size + alignment;
    size_t at = 0;
    char *given = NULL;

    if (size > POOL_BYTES / 2)
        return NULL;
    at = __atomic_fetch_add(&pool_used, (all + 7) & ~(size_t)7, __ATOMIC_RELAXED);
    if (at + all > POOL_BYTES)
        return NULL;
    given = (char *)(((uintptr_t)pool + at + HEADER_BYTES + alignment - 1) & ~(uintptr_t)(alignment - 1));
    memcpy(given - sizeof(size), &size, sizeof(size));
    return given;
}

NOINLINE static size_t size_of(const char *block)
{
    size_t size = 0;

    memcpy(&size, block - sizeof(size), sizeof(size));
    return size;
}

NOINLINE void *OWN(malloc)(size_t size)
{
    return take_of_pool(size, 8);
}

NOINLINE void *OWN(calloc)(size_t count, size_t size)
{
    return take_of_pool(count * size, 8);
}

NOINLINE void *OWN(mallocx)(size_t size, int flags)
{
    return take_of_pool(size, flags ? 64 : 8);
}

NOINLINE int OWN(posix_memalign)(void **out, size_t alignment, size_t size)
{
    *out = take_of_pool(size, alignment);
    return *out ? 0 : 12;
}

#if defined(CANNOT_BE_MOVED) && defined(__aarch64__)
#define FREE "ldr x9, 1f\nret\n1: .quad 0\n"
#elif defined(CANNOT_BE_MOVED)
#define FREE "call 1f\nret\n1: ret\n"
#elif defined(RELOCATED)
#define FREE "nop\nnop\nnop\nnop\nnop\nret\n.balign 8\n.quad main\n"
#endif

#if defined(FREE)
void OWN(free)(void *block);
#define TEXT_OF(name) #name
#define NAME_OF(name) TEXT_OF(name)
__asm__(".text\n.globl " NAME_OF(OWN(free)) "\n.type " NAME_OF(OWN(free)) ", %function\n" NAME_OF(
    OWN(free)) ":\n" FREE ".size " NAME_OF(OWN(free)) ", . - " NAME_OF(OWN(free)) "\n");
#else
NOINLINE void OWN(free)(void *block)
{
    if (block)
        memset(block, 0, size_of(block));
}
#endif

NOINLINE void OWN(sdallocx)(void *block, size_t size, int flags)
{
    if (!flags && size == size_of(block))
        OWN(free)(block);
}

/* Asks others of its own. */
NOINLINE void *OWN(realloc)(void *block, size_t size)
{
    void *grown = OWN(malloc)(size);

    if (grown && block)
        memcpy(grown, block, size_of(block) < size ? size_of(block) : size);
    if (grown)
        OWN(free)(block);
    return grown;
}

NOINLINE void *OWN(rallocx)(void *block, size_t size, int flags)
{
    return flags ? NULL : OWN(realloc)(block, size);
}

NOINLINE size_t OWN(xallocx)(void *block, size_t size, size_t extra, int flags)
{
    (void)extra;
    (void)flags;
    if (size > size_of(block))
        return size_of(block);
    memcpy((char *)block - sizeof(size), &size, sizeof(size));
    return size;
}

/* --- What asks ----------------------------------------------------------------------------------------- */

static void *volatile kept[64];

NOINLINE void asks(void)
{
    for (int i = 0; i < 10; i++)
        kept[i] = OWN(malloc)(1000);
    for (int i = 0; i < 3; i++)
        OWN(free)(kept[i]);
    for (int i = 3; i < 6; i++)
        OWN(sdallocx)(kept[i], 1000, 0);
    OWN(free)(NULL);
}

NOINLINE void grows(void)
{
    kept[10] = OWN(realloc)(OWN(malloc)(100), 5000);
    kept[11] = OWN(realloc)(kept[10], POOL_BYTES);
    OWN(xallocx)(kept[10], 6000, 0, 0);
    kept[11] = (void *)OWN(xallocx)(kept[10], 4000, 0, 0);
}

NOINLINE void asks_otherwise(void)
{
    void *aligned = NULL;

    kept[12] = OWN(calloc)(10, 30);
    OWN(posix_memalign)(&aligned, 64, 640);
    kept[13] = aligned;
    kept[14] = OWN(rallocx)(OWN(mallocx)(700, 0), 900, 0);
}

/* Of the C library, unless the program's own has this name. */
void *malloc(size_t size);

NOINLINE void asks_the_library(void)
{
    kept[15] = malloc(50);
}

NOINLINE static void *ask_often(void *unused)
{
    enum { BLOCKS = 50000, KEPT = 100 };

    (void)unused;
    for (int i = 0; i < BLOCKS; i++) {
        void *volatile block = OWN(malloc)(24);

        if (i >= KEPT)
            OWN(free)(block);
    }
    return NULL;
}

NOINLINE static void threads_ask(void)
{
    enum { THREADS = 4 };
    pthread_t threads[THREADS];

    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, ask_often, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}

NOINLINE static void ask_long(void)
{
    enum { TIMES = 20000000 };
    void *block = OWN(malloc)(24);

    for (int i = 0; i < TIMES; i++)
        kept[i % 2] = (void *)OWN(xallocx)(block, 24, 0, 0);
}

NOINLINE static void child_asks(void)
{
    if (fork() == 0) {
        kept[16] = OWN(malloc)(7000);
        _exit(0);
    }
    wait(NULL);
}

int main(int count, char **arguments)
{
    const char *work = count > 1 ? arguments[1] : "";

    if (strcmp(work, "threads") == 0) {
        threads_ask();
        return 0;
    }
    if (strcmp(work, "long") == 0) {
        ask_long();
        return 0;
    }
    asks();
    grows();
    asks_otherwise();
    asks_the_library();
    if (strcmp(work, "fork") == 0)
        child_asks();
    return 0;
}
