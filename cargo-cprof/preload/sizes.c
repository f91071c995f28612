#include "preload/sizes.h"

#include <stdbool.h>
#include <string.h>

#include "preload/parts.h"

uint8_t *sizes_parts[SIZES_PARTS];

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
        bytes = parts_make(part, SIZES_PART_BYTES);
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
