#include "preload/sizes.h"

#include <string.h>
#include <sys/mman.h>

#include "preload/records.h"
#include "preload/system.h"

uint8_t *sizes_parts[SIZES_PARTS];

static uint8_t *make_part(uint8_t **part)
{
    uint8_t *made = records_memory(SIZES_PART_BYTES);
    uint8_t *before = NULL;

    if (!made)
        return NULL;
    /* Little of it will be written to. */
    SYSTEM_CALL(SYS_madvise, (long)made, SIZES_PART_BYTES, MADV_NOHUGEPAGE);
    if (__atomic_compare_exchange_n(part, &before, made, false, __ATOMIC_RELEASE, __ATOMIC_ACQUIRE))
        return made;
    SYSTEM_CALL(SYS_munmap, (long)made, SIZES_PART_BYTES);
    return before;
}

/* One of so much has room for a number behind its first byte, all of it in one part. */
static bool has_number(uintptr_t pointer, uint64_t taken)
{
    enum { NUMBER_END = 1 + sizeof(uint64_t) };

    return taken >= (NUMBER_END + 1) << SIZES_GRAIN_BITS &&
           sizes_place_of(pointer) + NUMBER_END <= SIZES_PART_BYTES;
}

uint64_t sizes_note_slowly(uintptr_t pointer, uint64_t asked, uint64_t taken)
{
    uint8_t **part = sizes_part_of(pointer);
    uint8_t *bytes = __atomic_load_n(part, __ATOMIC_ACQUIRE);
    uint64_t more = taken > asked ? taken - asked : 0;

    if (!bytes)
        bytes = make_part(part);
    if (!bytes || !sizes_has_place(taken))
        return taken;
    bytes += sizes_place_of(pointer);
    if (more >= SIZES_MORE && !has_number(pointer, taken))
        more = 0;
    *bytes = more < SIZES_MORE ? (uint8_t)more : SIZES_MORE;
    if (more >= SIZES_MORE)
        memcpy(bytes + 1, &more, sizeof(more));
    return taken - more;
}

uint64_t sizes_of_much(uintptr_t pointer, uint64_t taken)
{
    const uint8_t *bytes = *sizes_part_of(pointer) + sizes_place_of(pointer);
    uint64_t more = 0;

    if (*bytes == SIZES_MORE && has_number(pointer, taken))
        memcpy(&more, bytes + 1, sizeof(more));
    return more <= taken ? taken - more : taken;
}
