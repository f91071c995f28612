#include "preload/linked/program.h"

#include <link.h>
#include <stdbool.h>
#include <sys/mman.h>

#include "preload/system.h"

static bool map_file(const char *path, struct symbols_file *file)
{
    long descriptor = SYSTEM_CALL(SYS_openat, AT_FDCWD, (long)path, O_RDONLY | O_CLOEXEC);
    long size = 0;
    long mapped = 0;

    if (is_failure(descriptor))
        return false;
    size = SYSTEM_CALL(SYS_lseek, descriptor, 0, SEEK_END);
    mapped = size > 0 ? SYSTEM_CALL(SYS_mmap, 0, size, PROT_READ, MAP_PRIVATE, descriptor) : -1;
    SYSTEM_CALL(SYS_close, descriptor);
    if (is_failure(mapped))
        return false;
    *file = (struct symbols_file){pointer_to((uintptr_t)mapped), (size_t)size};
    return true;
}

/* Where its program headers are in memory (getauxval(3), AT_PHDR); 0: not known. */
static uintptr_t headers_in_memory(void)
{
    enum { MOST_ENTRIES = 64 };
    ElfW(auxv_t) entries[MOST_ENTRIES] = {0};
    long descriptor = SYSTEM_CALL(SYS_openat, AT_FDCWD, (long)"/proc/self/auxv", O_RDONLY | O_CLOEXEC);

    if (is_failure(descriptor))
        return 0;
    (void)SYSTEM_CALL(SYS_read, descriptor, (long)entries, sizeof(entries) - sizeof(entries[0]));
    SYSTEM_CALL(SYS_close, descriptor);
    for (size_t i = 0; entries[i].a_type != AT_NULL; i++)
        if (entries[i].a_type == AT_PHDR)
            return entries[i].a_un.a_val;
    return 0;
}

static bool is_same(const uint8_t *left, const uint8_t *right, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (left[i] != right[i])
            return false;
    return true;
}

/* Where its headers are from `bias` on. */
static bool are_all_there(struct symbols_file file, const struct symbols_function *found, size_t count,
                          uintptr_t bias)
{
    for (size_t i = 0; i < count; i++)
        if (!is_same(file.bytes + found[i].offset, pointer_to(bias + found[i].svma), found[i].size))
            return false;
    return true;
}

static enum program_end find_by_symbols(struct symbols_file file, uintptr_t headers,
                                        struct linked_function out[SYMBOLS_MOST_FUNCTIONS], size_t *count)
{
    struct symbols_function found[SYMBOLS_MOST_FUNCTIONS];
    size_t found_count = 0;
    uint64_t svma = 0;

    if (!symbols_find_headers(file, &svma))
        return PROGRAM_HAS_NONE;
    found_count = symbols_find_allocator(file, found);
    if (found_count == 0)
        return PROGRAM_HAS_NONE;
    if (found_count == SYMBOLS_MOST_FUNCTIONS || !are_all_there(file, found, found_count, headers - svma))
        return PROGRAM_HAS_OTHERS;
    for (size_t i = 0; i < found_count; i++)
        out[i] = (struct linked_function){found[i].name, pointer_to(headers - svma + found[i].svma),
                                          found[i].size};
    *count = found_count;
    return PROGRAM_HAS_THESE;
}

enum program_end program_find_allocator(struct linked_function out[SYMBOLS_MOST_FUNCTIONS], size_t *count)
{
    struct symbols_file file;
    uintptr_t headers = headers_in_memory();
    enum program_end end = PROGRAM_HAS_NONE;

    *count = 0;
    if (!headers || !map_file("/proc/self/exe", &file))
        return PROGRAM_HAS_NONE;
    end = find_by_symbols(file, headers, out, count);
    SYSTEM_CALL(SYS_munmap, (long)file.bytes, (long)file.size);
    return end;
}
