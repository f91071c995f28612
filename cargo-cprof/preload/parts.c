#include "preload/parts.h"

#include <stdbool.h>
#include <sys/mman.h>

#include "preload/records.h"
#include "preload/system.h"

uint8_t *parts_make(uint8_t **part, size_t size)
{
    uint8_t *made = records_memory(size);
    uint8_t *before = NULL;

    if (!made)
        return NULL;
    /* Little of it will be written to. */
    SYSTEM_CALL(SYS_madvise, (long)made, (long)size, MADV_NOHUGEPAGE);
    if (__atomic_compare_exchange_n(part, &before, made, false, __ATOMIC_RELEASE, __ATOMIC_ACQUIRE))
        return made;
    SYSTEM_CALL(SYS_munmap, (long)made, (long)size);
    return before;
}
