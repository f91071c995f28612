#include "preload/linked/asked.h"

#include <stddef.h>
#include <string.h>

#include "preload/parts.h"

enum {
    ADDRESS_BITS = 48,
    PART_BITS = 28,
    GRAIN_BITS = 3,
    PARTS = 1 << (ADDRESS_BITS - PART_BITS),
    PLACES = 1 << (PART_BITS - GRAIN_BITS),
    PART_BYTES = PLACES + 4096, /* a number may begin at its last place */
    NUMBER_FOLLOWS = UINT8_MAX,
};

/* Of memory that was never given NULL. */
static uint8_t *parts[PARTS];

static uint8_t **part_of(uintptr_t pointer)
{
    return &parts[pointer >> PART_BITS & (PARTS - 1)];
}

static size_t place_of(uintptr_t pointer)
{
    return pointer >> GRAIN_BITS & (PLACES - 1);
}

void asked_note(uintptr_t pointer, uint64_t size)
{
    uint8_t **part = part_of(pointer);
    uint8_t *bytes = __atomic_load_n(part, __ATOMIC_ACQUIRE);

    if (!bytes)
        bytes = parts_make(part, PART_BYTES);
    if (!bytes)
        return;
    bytes += place_of(pointer);
    *bytes = size < NUMBER_FOLLOWS ? (uint8_t)size : NUMBER_FOLLOWS;
    if (size >= NUMBER_FOLLOWS)
        memcpy(bytes + 1, &size, sizeof(size));
}

uint64_t asked_take(uintptr_t pointer)
{
    uint8_t *bytes = __atomic_load_n(part_of(pointer), __ATOMIC_ACQUIRE);
    uint64_t size = 0;

    if (!bytes)
        return 0;
    bytes += place_of(pointer);
    size = *bytes;
    if (size == NUMBER_FOLLOWS)
        memcpy(&size, bytes + 1, sizeof(size));
    *bytes = 0;
    return size;
}
