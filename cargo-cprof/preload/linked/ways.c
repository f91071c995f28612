#include "preload/linked/ways.h"

#include <dlfcn.h>
#include <link.h>
#include <stddef.h>
#include <sys/mman.h>

#include "preload/system.h"

#pragma weak dladdr

/* Nobody calls it here. What runs in the copy has its name, and nothing but a return address above it. */
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

uint8_t *ways_map(uintptr_t code, size_t reach)
{
    enum { STEP = 1 << 20 };
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
    for (uintptr_t below = STEP; !ways && below < reach && below < code; below += STEP)
        ways = map_at((code - below) & ~(uintptr_t)(WAYS_BYTES - 1), descriptor, offset);
    SYSTEM_CALL(SYS_close, descriptor);
    return ways;
}

#if defined(__aarch64__)
/* Arm Architecture Reference Manual for A-profile, B2.4.4. */
void ways_see_code(const uint8_t *code, size_t size)
{
    uintptr_t end = (uintptr_t)code + size;
    uint64_t lines = 0;

    __asm__ volatile("mrs %0, ctr_el0" : "=r"(lines));
    for (uintptr_t at = (uintptr_t)code & ~(uintptr_t)3; at < end; at += UINT64_C(4) << (lines >> 16 & 15))
        __asm__ volatile("dc cvau, %0" : : "r"(at) : "memory");
    __asm__ volatile("dsb ish" : : : "memory");
    for (uintptr_t at = (uintptr_t)code & ~(uintptr_t)3; at < end; at += UINT64_C(4) << (lines & 15))
        __asm__ volatile("ic ivau, %0" : : "r"(at) : "memory");
    __asm__ volatile("dsb ish\n\tisb" : : : "memory");
}
#else
void ways_see_code(const uint8_t *code, size_t size)
{
    (void)code;
    (void)size;
}
#endif

bool ways_finish(uint8_t *ways)
{
    ways_see_code(ways, WAYS_BYTES);
    return !is_failure(SYSTEM_CALL(SYS_mprotect, (long)ways, WAYS_BYTES, PROT_READ | PROT_EXEC));
}

void ways_unmap(uint8_t *ways)
{
    SYSTEM_CALL(SYS_munmap, (long)ways, WAYS_BYTES);
}
