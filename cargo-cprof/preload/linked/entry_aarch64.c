/* Instructions are those of the Arm Architecture Reference Manual for A-profile, C4.1 and C6.2. */
#include <string.h>

#include "preload/linked/entry.h"

static const uint32_t jump = 0x14000000;             /* b */
static const uint32_t load_for_jump = 0x58000050;    /* ldr x16, .+8: calls may change x16 on their way */
static const uint32_t jump_by_register = 0xd61f0200; /* br x16 */
static const uint32_t load = 0x58000040;             /* ldr x0, .+8 */
static const uint32_t over_number = 0x14000003;      /* b .+12 */

enum { WORD_BYTES = 4, STUB_BYTES = 2 * WORD_BYTES + sizeof(uint64_t), REACH = 1 << 27 };

/* How an instruction depends on where it stands. */
enum kind {
    PLACELESS,
    BRANCH,
    BRANCH_IF_19, /* b.cond, cbz, cbnz, with 19 bits of distance */
    BRANCH_IF_14, /* tbz, tbnz */
    ADDRESS,      /* adr */
    PAGE,         /* adrp */
    IMMOVABLE,    /* bl, and loads from near it */
};

static enum kind kind_of(uint32_t word)
{
    static const struct {
        uint32_t mask;
        uint32_t bits;
        enum kind kind;
    } kinds[] = {
        {0xfc000000, 0x14000000, BRANCH},       {0xfc000000, 0x94000000, IMMOVABLE},
        {0xfe000000, 0x54000000, BRANCH_IF_19}, {0x7e000000, 0x34000000, BRANCH_IF_19},
        {0x7e000000, 0x36000000, BRANCH_IF_14}, {0x9f000000, 0x10000000, ADDRESS},
        {0x9f000000, 0x90000000, PAGE},         {0x3b000000, 0x18000000, IMMOVABLE},
    };

    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
        if ((word & kinds[i].mask) == kinds[i].bits)
            return kinds[i].kind;
    return PLACELESS;
}

static uint32_t word_at(const uint8_t *code)
{
    uint32_t word = 0;

    memcpy(&word, code, sizeof(word));
    return word;
}

static uint8_t *put(uint8_t *at, uint32_t word)
{
    memcpy(at, &word, sizeof(word));
    return at + sizeof(word);
}

static bool plan(uint8_t *function, size_t size, struct entry *out)
{
    out->function = function;
    out->moved_bytes = WORD_BYTES;
    return size >= WORD_BYTES && kind_of(word_at(function)) != IMMOVABLE;
}

/* A number with a sign, of so many bits from `first` on. */
static int64_t bits_of(uint32_t word, unsigned first, unsigned count)
{
    int64_t sign = INT64_C(1) << (count - 1);
    int64_t bits = word >> first & ((UINT32_C(1) << count) - 1);

    return (bits ^ sign) - sign;
}

/* Where it leads, or what it is about. */
static uint64_t target_of(uint32_t word, enum kind kind, uint64_t place)
{
    enum { PAGE_BITS = 12 };
    int64_t of_address = bits_of(word, 5, 19) * 4 + (word >> 29 & 3);

    switch (kind) {
    case BRANCH:
        return place + (uint64_t)(bits_of(word, 0, 26) * WORD_BYTES);
    case BRANCH_IF_19:
        return place + (uint64_t)(bits_of(word, 5, 19) * WORD_BYTES);
    case BRANCH_IF_14:
        return place + (uint64_t)(bits_of(word, 5, 14) * WORD_BYTES);
    case ADDRESS:
        return place + (uint64_t)of_address;
    case PAGE:
        return (place >> PAGE_BITS << PAGE_BITS) + ((uint64_t)of_address << PAGE_BITS);
    case PLACELESS:
    case IMMOVABLE:
        break;
    }
    return place;
}

/* NULL where it is too far. */
static uint8_t *put_jump(uint8_t *at, uint64_t target)
{
    int64_t distance = (int64_t)(target - (uintptr_t)at);

    if (distance < -(int64_t)REACH || distance >= (int64_t)REACH)
        return NULL;
    return put(at, jump | ((uint32_t)(distance / WORD_BYTES) & 0x03ffffff));
}

/* The same condition, over the jump behind it. */
static uint32_t over_jump(uint32_t word, enum kind kind)
{
    enum { WORDS = 2, DISTANCE_AT = 5 };
    uint32_t mask = (kind == BRANCH_IF_19 ? UINT32_C(0x7ffff) : UINT32_C(0x3fff)) << DISTANCE_AT;

    return (word & ~mask) | WORDS << DISTANCE_AT;
}

static uint8_t *put_number(uint8_t *at, uint64_t number)
{
    memcpy(at, &number, sizeof(number));
    return at + sizeof(number);
}

/* Writes what does as the first instruction did, and goes on behind it. False where that is too far. */
static bool move(const struct entry *entry, uint8_t *to)
{
    enum { REGISTER = 0x1f };
    uint32_t word = word_at(entry->function);
    enum kind kind = kind_of(word);
    uint64_t target = target_of(word, kind, (uintptr_t)entry->function);
    uint64_t rest = (uintptr_t)entry->function + WORD_BYTES;

    if (kind == BRANCH)
        return put_jump(to, target);
    if (kind == BRANCH_IF_14 || kind == BRANCH_IF_19) {
        to = put_jump(put(to, over_jump(word, kind)), rest);
        return to && put_jump(to, target);
    }
    if (kind == ADDRESS || kind == PAGE)
        to = put_number(put(put(to, load | (word & REGISTER)), over_number), target);
    else
        to = put(to, word);
    return put_jump(to, rest);
}

static uintptr_t make_way(const struct entry *entry, uint8_t *way, uintptr_t instead)
{
    int64_t distance = (int64_t)((uintptr_t)way - (uintptr_t)entry->function);

    if (distance < -(int64_t)REACH || distance >= (int64_t)REACH || !move(entry, way + STUB_BYTES))
        return 0;
    put_number(put(put(way, load_for_jump), jump_by_register), instead);
    return (uintptr_t)way + STUB_BYTES;
}

static void divert(const struct entry *entry, const uint8_t *way)
{
    put_jump(entry->function, (uintptr_t)way);
}

const struct entry_machine entry_aarch64 = {WORD_BYTES, REACH - ENTRY_WAY_BYTES, plan, make_way, divert};
