/*
 * What was asked for, by pointer, for when it is taken back: the C library knows only what it gave, which is
 * more. A byte for each 16 of memory tells how much more; where that is not enough the number follows.
 */
#ifndef PRELOAD_SIZES_H
#define PRELOAD_SIZES_H

#include <stddef.h>
#include <stdint.h>

enum {
    SIZES_ADDRESS_BITS = 48,
    SIZES_PART_BITS = 28, /* an arena of glibc has 64 MiB */
    SIZES_GRAIN_BITS = 4,
    SIZES_PARTS = 1 << (SIZES_ADDRESS_BITS - SIZES_PART_BITS),
    SIZES_PART_BYTES = 1 << (SIZES_PART_BITS - SIZES_GRAIN_BITS),
    SIZES_MORE = UINT8_MAX, /* than a byte has */
};

/* Of memory that was never given NULL. A part is there for good, and takes as much as is written to. */
extern uint8_t *sizes_parts[SIZES_PARTS];

uint64_t sizes_note_slowly(uintptr_t pointer, uint64_t asked, uint64_t taken);
uint64_t sizes_of_much(uintptr_t pointer, uint64_t taken);

static inline uint8_t **sizes_part_of(uintptr_t pointer)
{
    return &sizes_parts[pointer >> SIZES_PART_BITS & (SIZES_PARTS - 1)];
}

static inline size_t sizes_place_of(uintptr_t pointer)
{
    return pointer >> SIZES_GRAIN_BITS & (SIZES_PART_BYTES - 1);
}

/* Two of less might have a place in common, as other allocators than glibc's give them. */
static inline int sizes_has_place(uint64_t taken)
{
    return taken >= 1 << SIZES_GRAIN_BITS;
}

/* Notes that of the `taken` bytes there only `asked` were asked for. What sizes_of will tell of it. */
static inline uint64_t sizes_note(uintptr_t pointer, uint64_t asked, uint64_t taken)
{
    uint8_t *bytes = __atomic_load_n(sizes_part_of(pointer), __ATOMIC_ACQUIRE);

    if (__builtin_expect(!bytes || !sizes_has_place(taken) || taken - asked >= SIZES_MORE, 0))
        return sizes_note_slowly(pointer, asked, taken);
    bytes[sizes_place_of(pointer)] = (uint8_t)(taken - asked);
    return asked;
}

/* What was asked for of the `taken` bytes there; `taken` where nobody noted it. */
static inline uint64_t sizes_of(uintptr_t pointer, uint64_t taken)
{
    const uint8_t *bytes = __atomic_load_n(sizes_part_of(pointer), __ATOMIC_ACQUIRE);
    uint8_t more = 0;

    if (__builtin_expect(!bytes || !sizes_has_place(taken), 0))
        return taken;
    more = bytes[sizes_place_of(pointer)];
    if (__builtin_expect(more == SIZES_MORE || more > taken, 0))
        return sizes_of_much(pointer, taken);
    return taken - more;
}

#endif
