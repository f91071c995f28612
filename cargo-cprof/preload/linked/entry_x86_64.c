#include "preload/linked/entry.h"

#include <string.h>

#include "preload/linked/instruction.h"

enum {
    JUMP_BYTES = 5,
    JUMP = 0xe9,
    SHORT_JUMP = 0xeb,
    SHORT_CONDITION = 0x70, /* and the 15 after it */
    TWO_BYTES = 0x0f,
    NEAR_CONDITION = 0x80,
    FAR_JUMP = 0xff,
    FAR_JUMP_MODRM = 0x25,
    FAR_JUMP_BYTES = 14,
    MOST_SHORT_JUMPS = 3, /* in what makes way, each of which grows by 4 bytes at most */
    MOST_MOVED = JUMP_BYTES - 1 + 15 + 4 * MOST_SHORT_JUMPS,
};

_Static_assert((int)ENTRY_WAY_BYTES >= 2 * FAR_JUMP_BYTES + MOST_MOVED, "both jumps fit");

/* `loop` and its like are told by 8 bits in no other way. */
static bool can_be_moved(const struct instruction *instruction, const uint8_t *bytes)
{
    if (instruction->relative == INSTRUCTION_SHORT_JUMP)
        return bytes[0] == SHORT_JUMP || (bytes[0] & 0xf0) == SHORT_CONDITION;
    return instruction->length > 0 && instruction->relative != INSTRUCTION_CALL;
}

/* How many bytes from the start on make way for the jump. 0: they cannot stand elsewhere. */
static size_t length_to_move(const uint8_t *function, size_t size)
{
    size_t length = 0;

    while (length < JUMP_BYTES) {
        struct instruction next = instruction_read(function + length, size - length);

        if (!can_be_moved(&next, function + length))
            return 0;
        length += next.length;
    }
    return length;
}

/* Whether nothing in it jumps to what would not be an instruction any more. */
static bool is_entered_at_start_alone(const uint8_t *function, size_t size, size_t moved_bytes)
{
    for (size_t at = 0; at < size;) {
        struct instruction next = instruction_read(function + at, size - at);
        int64_t target = (int64_t)(at + next.length) + instruction_distance(&next, function + at);

        if (next.length == 0)
            return false;
        if ((next.relative == INSTRUCTION_JUMP || next.relative == INSTRUCTION_SHORT_JUMP) && target > 0 &&
            target < (int64_t)moved_bytes)
            return false;
        at += next.length;
    }
    return true;
}

static bool plan(uint8_t *function, size_t size, struct entry *out)
{
    out->function = function;
    out->moved_bytes = length_to_move(function, size);
    return out->moved_bytes > 0 && is_entered_at_start_alone(function, size, out->moved_bytes);
}

static void put_far_jump(uint8_t *at, uintptr_t target)
{
    const uint8_t start[] = {FAR_JUMP, FAR_JUMP_MODRM, 0, 0, 0, 0};

    memcpy(at, start, sizeof(start));
    memcpy(at + sizeof(start), &target, sizeof(target));
}

static bool fits(int64_t distance)
{
    return distance == (int32_t)distance;
}

static int64_t between(const uint8_t *from, const uint8_t *to)
{
    return (int64_t)((uintptr_t)to - (uintptr_t)from);
}

/* A jump that is told by 8 bits, as one by 32 (`jcc rel32`, `jmp rel32`). Returns the length of its opcode.
 */
static size_t put_near_opcode(uint8_t short_opcode, uint8_t *to)
{
    if (short_opcode == SHORT_JUMP) {
        to[0] = JUMP;
        return 1;
    }
    to[0] = TWO_BYTES;
    to[1] = (uint8_t)(short_opcode + (NEAR_CONDITION - SHORT_CONDITION));
    return 2;
}

/* Writes the instruction as it is to be there. Returns how long it is there, 0 where what it is about is too
 * far. */
static size_t move_one(const struct instruction *instruction, const uint8_t *from, uint8_t *to)
{
    size_t distance_at = instruction->distance_at;
    size_t length = instruction->length;
    int64_t distance = 0;
    int32_t number = 0;

    if (instruction->relative == INSTRUCTION_SHORT_JUMP) {
        distance_at = put_near_opcode(from[0], to);
        length = distance_at + sizeof(number);
    } else {
        memcpy(to, from, length);
    }
    if (instruction->relative == INSTRUCTION_PLACELESS)
        return length;
    distance = between(to + length, from + instruction->length) + instruction_distance(instruction, from);
    number = (int32_t)distance;
    memcpy(to + distance_at, &number, sizeof(number));
    return fits(distance) ? length : 0;
}

/* Copies the first instructions. Returns where what follows them comes; NULL where that fails. */
static uint8_t *move(const struct entry *entry, uint8_t *to)
{
    for (size_t at = 0; at < entry->moved_bytes;) {
        const uint8_t *from = entry->function + at;
        struct instruction next = instruction_read(from, entry->moved_bytes - at);
        size_t length = move_one(&next, from, to);

        if (length == 0)
            return NULL;
        to += length;
        at += next.length;
    }
    return to;
}

static uintptr_t make_way(const struct entry *entry, uint8_t *way, uintptr_t instead)
{
    uint8_t *moved = way + FAR_JUMP_BYTES;
    uint8_t *end = NULL;

    if (!fits(between(entry->function + JUMP_BYTES, way)))
        return 0;
    end = move(entry, moved);
    if (!end)
        return 0;
    put_far_jump(way, instead);
    put_far_jump(end, (uintptr_t)entry->function + entry->moved_bytes);
    return (uintptr_t)moved;
}

static void divert(const struct entry *entry, const uint8_t *way)
{
    int32_t distance = (int32_t)between(entry->function + JUMP_BYTES, way);

    entry->function[0] = JUMP;
    memcpy(entry->function + 1, &distance, sizeof(distance));
}

const struct entry_machine entry_x86_64 = {JUMP_BYTES, 1 << 30, plan, make_way, divert};
