#include "preload/elsewhere.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <string.h>
#include <sys/prctl.h>

#include "preload/linked/linked.h"
#include "preload/records.h"
#include "preload/system.h"

#pragma weak dlsym
#pragma weak dladdr1

static char program[HEAP_NAME_BYTES];
static bool has_own_malloc;      /* or another allocator, of which nothing is told */
static uint64_t inherited_bytes; /* that its parent had as it was forked off */
static uint64_t most_bytes;      /* as some were given back, so far */

/*
 * A program that is linked for a fixed address and takes that of a function has a stub for it, which is then
 * its address everywhere (System V ABI, AMD64 supplement, "Function Addresses"): it leads to whoever has the
 * function.
 */
static bool is_stub(const void *function)
{
    Dl_info info;
    ElfW(Sym) *symbol = NULL;

    return dladdr1 && dladdr1(function, &info, (void **)&symbol, RTLD_DL_SYMENT) != 0 && symbol &&
           symbol->st_shndx == SHN_UNDEF;
}

void elsewhere_begin(uintptr_t ours)
{
    struct heap_shared *shared = records_shared();
    void *first = dlsym ? dlsym(RTLD_DEFAULT, "malloc") : NULL;
    enum linked_end linked = linked_begin();

    SYSTEM_CALL(SYS_prctl, PR_GET_NAME, (long)program);
    if (linked == LINKED_FOLLOWED)
        __atomic_add_fetch(&shared->followed_count, 1, __ATOMIC_RELAXED);
    else
        has_own_malloc =
            linked == LINKED_UNFOLLOWED || (first && (uintptr_t)first != ours && !is_stub(first));
    if (has_own_malloc && __atomic_fetch_add(&shared->own_malloc_count, 1, __ATOMIC_RELAXED) == 0)
        memcpy(shared->own_malloc, program, sizeof(program));
}

static uint64_t number_after_blank(const char **text)
{
    uint64_t number = 0;

    while (**text == ' ')
        ++*text;
    for (; **text >= '0' && **text <= '9'; ++*text)
        number = number * 10 + (uint64_t)(**text - '0');
    return number;
}

/* Pages that are in no file, as of proc(5), statm: those that are there less those that are. */
static uint64_t anonymous_bytes(void)
{
    enum { MOST_TEXT = 128 };
    char text[MOST_TEXT] = {0};
    const char *at = text;
    long descriptor = SYSTEM_CALL(SYS_openat, AT_FDCWD, (long)"/proc/self/statm", O_RDONLY | O_CLOEXEC);
    uint64_t resident = 0;
    uint64_t shared = 0;

    if (is_failure(descriptor))
        return 0;
    (void)SYSTEM_CALL(SYS_read, descriptor, (long)text, MOST_TEXT - 1);
    SYSTEM_CALL(SYS_close, descriptor);
    number_after_blank(&at);
    resident = number_after_blank(&at);
    shared = number_after_blank(&at);
    return resident > shared ? (resident - shared) * HEAP_PAGE_BYTES : 0;
}

static uint64_t own_bytes(void)
{
    uint64_t bytes = anonymous_bytes();

    return bytes > inherited_bytes ? bytes - inherited_bytes : 0;
}

void elsewhere_begin_child(void)
{
    inherited_bytes = anonymous_bytes();
    most_bytes = 0;
}

static void raise_most(void)
{
    uint64_t bytes = own_bytes();
    uint64_t before = __atomic_load_n(&most_bytes, __ATOMIC_RELAXED);

    while (bytes > before && !__atomic_compare_exchange_n(&most_bytes, &before, bytes, true, __ATOMIC_RELAXED,
                                                          __ATOMIC_RELAXED))
        continue;
}

void elsewhere_give_back(void)
{
    if (records_are_wanted())
        raise_most();
}

/* What malloc itself takes for what it gives, and keeps, is not meant. */
void elsewhere_end(int64_t most_of_malloc)
{
    const uint64_t least = UINT64_C(32) << 20;
    struct heap_shared *shared = records_shared();
    uint64_t bytes = 0;

    if (has_own_malloc)
        return;
    raise_most();
    bytes = __atomic_load_n(&most_bytes, __ATOMIC_RELAXED);
    if (bytes < least || bytes / 4 < (uint64_t)most_of_malloc ||
        bytes <= __atomic_load_n(&shared->elsewhere_bytes, __ATOMIC_RELAXED))
        return;
    __atomic_store_n(&shared->elsewhere_bytes, bytes, __ATOMIC_RELAXED);
    memcpy(shared->elsewhere, program, sizeof(program));
}
