#include "code/aarch64_stub.h"

#include "base/bytes.h"
#include "code/aarch64_flow.h"

enum { WORD = AARCH64_INSTRUCTION_BYTES, STUB_WORDS = AARCH64_STUB_BYTES / WORD };

/* One instruction and its mask. */
struct shape {
    uint32_t mask;
    uint32_t bits;
};

static const struct shape STORE_FOR_LOADER = {0xffffffff, 0xa9bf7bf0}; /* stp x16, x30, [sp, #-16]! */
static const struct shape PAGE = {0x9f00001f, 0x90000010};             /* adrp x16, PAGE */
static const struct shape LOAD = {0xffc003ff, 0xf9400211};             /* ldr x17, [x16, #OFFSET] */
static const struct shape JUMP = {0xffffffff, 0xd61f0220};             /* br x17 */

/* The instruction at this place in the code is of that shape. Before the code there is none. */
static bool is_at(const struct code_bytes *code, uint64_t at, struct shape shape, uint32_t *instruction)
{
    struct bytes cursor = bytes_of(code->bytes, false);

    bytes_seek(&cursor, at);
    *instruction = bytes_u32(&cursor);
    return !cursor.failed && (*instruction & shape.mask) == shape.bits;
}

static uint64_t page_of(uint32_t instruction, uint64_t svma)
{
    uint64_t pages = (uint64_t)(instruction >> 5 & 0x7ffff) << 2 | (instruction >> 29 & 3);
    uint64_t sign = 1 << 20;

    return (svma & ~(uint64_t)0xfff) + (((pages ^ sign) - sign) << 12);
}

bool aarch64_stub_place(const struct code_bytes *code, uint64_t svma, uint64_t *place_svma)
{
    uint64_t jump = (svma - code->svma) / WORD * WORD;
    const uint64_t last = jump + (STUB_WORDS - 1) * (uint64_t)WORD;
    uint32_t page = 0;
    uint32_t load = 0;
    uint32_t other = 0;

    while (!is_at(code, jump, JUMP, &other))
        if ((jump += WORD) > last)
            return false;
    for (uint64_t at = jump - WORD; jump - at < AARCH64_STUB_BYTES; at -= WORD) {
        if (!is_at(code, at, LOAD, &load))
            continue;
        if (!is_at(code, at - WORD, PAGE, &page) ||
            is_at(code, at - 2 * (uint64_t)WORD, STORE_FOR_LOADER, &other))
            return false;
        *place_svma =
            page_of(page, code->svma + at - WORD) + (uint64_t)(load >> 10 & 0xfff) * sizeof(uint64_t);
        return true;
    }
    return false;
}
