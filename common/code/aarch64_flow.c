#include "code/aarch64_flow.h"

#include "base/bytes.h"

static uint32_t field(uint32_t instruction, unsigned shift, unsigned width)
{
    return instruction >> shift & ((1U << width) - 1);
}

/* A distance in words, of so many bits, as one in bytes. */
static uint64_t distance(uint32_t words, unsigned width)
{
    uint64_t sign = (uint64_t)1 << (width - 1);

    return ((words ^ sign) - sign) * AARCH64_INSTRUCTION_BYTES;
}

static bool is_direct_call(uint32_t instruction)
{
    return instruction >> 26 == 0x25;
}

static bool is_direct_jump(uint32_t instruction)
{
    return instruction >> 26 == 0x05;
}

bool aarch64_is_call(uint32_t instruction)
{
    return is_direct_call(instruction) || (instruction & 0xfeff0000) == 0xd63f0000;
}

static bool is_jump_by_register(uint32_t instruction)
{
    return (instruction & 0xfeff0000) == 0xd61f0000;
}

bool aarch64_is_jump(uint32_t instruction)
{
    return is_direct_jump(instruction) || is_jump_by_register(instruction);
}

bool aarch64_is_direct_call(uint32_t instruction, uint64_t svma, uint64_t *target)
{
    if (!is_direct_call(instruction))
        return false;
    *target = svma + distance(field(instruction, 0, 26), 26);
    return true;
}

/* Whether it jumps, perhaps under a condition, by a distance. */
static bool is_jump(uint32_t instruction, uint64_t *by)
{
    if (is_direct_jump(instruction))
        *by = distance(field(instruction, 0, 26), 26);
    else if (instruction >> 24 == 0x54 || (instruction & 0x7e000000) == 0x34000000) /* B.cond; CBZ, CBNZ */
        *by = distance(field(instruction, 5, 19), 19);
    else if ((instruction & 0x7e000000) == 0x36000000) /* TBZ, TBNZ */
        *by = distance(field(instruction, 5, 14), 14);
    else
        return false;
    return true;
}

bool aarch64_may_jump_out(const struct code_bytes *function)
{
    struct bytes cursor = bytes_of(function->bytes, false);

    while (bytes_left(&cursor) >= AARCH64_INSTRUCTION_BYTES) {
        uint64_t at = cursor.at;
        uint32_t instruction = bytes_u32(&cursor);
        uint64_t by = 0;

        if (is_jump_by_register(instruction) ||
            (is_jump(instruction, &by) && at + by >= function->bytes.length))
            return true;
    }
    return false;
}

/* Loads and stores: of x30 anything but a store, and all that move the stack pointer, which is their base. */
static bool access_changes_frame(uint32_t instruction)
{
    bool is_vector = field(instruction, 26, 1);
    bool is_pair = field(instruction, 27, 3) == 5;
    bool is_single = field(instruction, 27, 3) == 7;
    bool is_literal = field(instruction, 27, 3) == 3 && field(instruction, 24, 2) == 0;
    bool is_load = is_literal || field(instruction, 22, 2) != 0;
    /* Of pairs and of single registers alike bits 23 or 10 tell of those that are indexed before or after. */
    bool is_indexed = is_pair ? field(instruction, 23, 1)
                              : is_single && !field(instruction, 24, 1) && !field(instruction, 21, 1) &&
                                    field(instruction, 10, 1);

    if (is_pair)
        is_load = field(instruction, 22, 1);
    if (is_indexed && field(instruction, 5, 5) == AARCH64_STACK_POINTER)
        return true;
    if (is_vector || !is_load)
        return false;
    return field(instruction, 0, 5) == AARCH64_LINK_REGISTER ||
           (is_pair && field(instruction, 10, 5) == AARCH64_LINK_REGISTER);
}

/* Whether register 31 is the stack pointer as the target of one that computes. */
static bool may_set_stack_pointer(uint32_t instruction)
{
    bool is_add_immediate = (instruction & 0x3f800000) == 0x11000000; /* ADD, SUB; not ADDS, SUBS */
    bool is_tagged = (instruction & 0xbf800000) == 0x91800000;        /* ADDG, SUBG */
    bool is_add_extended = (instruction & 0x3fe00000) == 0x0b200000;
    bool is_logical = (instruction & 0x1f800000) == 0x12000000 && field(instruction, 29, 2) != 3;

    return is_add_immediate || is_tagged || is_add_extended || is_logical;
}

/* Whether the stack pointer is another one behind the instruction, or x30. Vectors' registers count, too. */
static bool changes_frame(uint32_t instruction)
{
    uint32_t target = field(instruction, 0, 5);

    if (aarch64_is_call(instruction))
        return true;
    if ((instruction & 0x0a000000) == 0x08000000)
        return access_changes_frame(instruction);
    if ((instruction & 0x1c000000) == 0x14000000) /* branches; system instructions, of which MRS sets one */
        return (instruction & 0xfff00000) == 0xd5300000 && target == AARCH64_LINK_REGISTER;
    return target == AARCH64_LINK_REGISTER ||
           (target == AARCH64_STACK_POINTER && may_set_stack_pointer(instruction));
}

struct aarch64_frame aarch64_frame_read(const struct code_bytes *function)
{
    struct bytes cursor = bytes_of(function->bytes, false);
    struct aarch64_frame frame = {0};
    bool is_as_called = true;

    frame.as_called_until_svma = function->svma;
    while (bytes_left(&cursor) >= AARCH64_INSTRUCTION_BYTES) {
        uint64_t svma = function->svma + cursor.at;
        uint32_t instruction = bytes_u32(&cursor);

        if (is_as_called)
            frame.as_called_until_svma = svma + AARCH64_INSTRUCTION_BYTES;
        is_as_called = is_as_called && !changes_frame(instruction);
        frame.has_frame_pointer |= (instruction & 0xffc003ff) == 0x910003fd; /* ADD x29, sp, #N; MOV */
    }
    return frame;
}
