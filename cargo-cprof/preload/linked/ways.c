#include "preload/linked/ways.h"

#include <dlfcn.h>
#include <link.h>
#include <stddef.h>
#include <sys/mman.h>

#include "preload/system.h"

#pragma weak dladdr

#if defined(__x86_64__)
/* Of no use here: what stands in the copy has its name, and is left as it is (nothing is on the stack). */
extern const uint8_t linked_ways[WAYS_BYTES];
__asm__(".pushsection .text\n\t.balign 4096\n\t.globl linked_ways\n\t.hidden linked_ways\n\t"
        ".type linked_ways, @function\n"
        "linked_ways:\n\t.cfi_startproc\n\t.fill 4096, 1, 0xcc\n\t.cfi_endproc\n\t"
        ".size linked_ways, 4096\n\t.popsection");

/* Where in the file what is at `address` of this library is; -1: not known. */
static long offset_in_file(uintptr_t address, const Dl_info *library)
{
    const ElfW(Ehdr) *header = library->dli_fbase;
    const ElfW(Phdr) *segments = (const void *)((const char *)library->dli_fbase + header->e_phoff);
    uintptr_t place = address - (uintptr_t)library->dli_fbase;

    for (size_t i = 0; i < header->e_phnum; i++)
        if (segments[i].p_type == PT_LOAD && place >= segments[i].p_vaddr &&
            place - segments[i].p_vaddr < segments[i].p_filesz)
            return (long)(place - segments[i].p_vaddr + segments[i].p_offset);
    return -1;
}

static bool is_copy(const uint8_t *mapped)
{
    for (size_t i = 0; i < WAYS_BYTES; i++)
        if (mapped[i] != linked_ways[i])
            return false;
    return true;
}

/* Where nothing is. */
static uint8_t *map_at(uintptr_t at, long descriptor, long offset)
{
    long result = SYSTEM_CALL(SYS_mmap, (long)at, WAYS_BYTES, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_FIXED_NOREPLACE, descriptor, offset);

    if (is_failure(result))
        return NULL;
    if ((uintptr_t)result == at && is_copy(pointer_to(at)))
        return pointer_to(at);
    SYSTEM_CALL(SYS_munmap, result, WAYS_BYTES); /* a kernel before 4.17 takes it for a wish */
    return NULL;
}

uint8_t *ways_map(uintptr_t code)
{
    enum { STEP = 1 << 20, FAR = 1 << 30 };
    Dl_info library;
    long offset = -1;
    long descriptor = -1;
    uint8_t *ways = NULL;

    if (!dladdr || !dladdr(linked_ways, &library))
        return NULL;
    offset = offset_in_file((uintptr_t)linked_ways, &library);
    descriptor = SYSTEM_CALL(SYS_openat, AT_FDCWD, (long)library.dli_fname, O_RDONLY | O_CLOEXEC);
    if (is_failure(descriptor) || offset < 0)
        return NULL;
    for (uintptr_t below = STEP; !ways && below < FAR && below < code; below += STEP)
        ways = map_at((code - below) & ~(uintptr_t)(WAYS_BYTES - 1), descriptor, offset);
    SYSTEM_CALL(SYS_close, descriptor);
    return ways;
}
#else
uint8_t *ways_map(uintptr_t code)
{
    (void)code;
    return NULL;
}
#endif

bool ways_finish(uint8_t *ways)
{
    return !is_failure(SYSTEM_CALL(SYS_mprotect, (long)ways, WAYS_BYTES, PROT_READ | PROT_EXEC));
}

void ways_unmap(uint8_t *ways)
{
    SYSTEM_CALL(SYS_munmap, (long)ways, WAYS_BYTES);
}
