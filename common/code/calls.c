#include "code/calls.h"

#include <string.h>

#include "code/x86_64.h"

/* One function while its instructions are gone through. */
struct reading {
    struct x86_64_reader reader;
    struct code_bytes left;
};

static int begin(const struct code_bytes *function, struct reading *out, struct error *err)
{
    out->left = (struct code_bytes){slice_range(function->bytes, 0, CALLS_MOST_BYTES), function->svma};
    return x86_64_load(&out->reader, err);
}

static struct call_target target_of(const struct x86_64_instruction *instruction)
{
    const ZydisDecodedOperand *operand = &instruction->operands[0];
    uint64_t svma = 0;

    if (instruction->info.mnemonic != ZYDIS_MNEMONIC_CALL)
        return (struct call_target){0};
    if (x86_64_target(instruction, &svma))
        return (struct call_target){CALL_DIRECT, svma};
    if (x86_64_is_by_one_register(operand) && operand->mem.base == ZYDIS_REGISTER_RIP)
        return (struct call_target){CALL_THROUGH, instruction->svma + instruction->info.length +
                                                      (uint64_t)operand->mem.disp.value};
    return (struct call_target){0};
}

int calls_target(const struct code_bytes *function, uint64_t return_svma, struct call_target *out,
                 struct error *err)
{
    struct reading reading;

    if (begin(function, &reading, err) < 0)
        return -1;
    *out = (struct call_target){0};
    while (reading.left.svma < return_svma && x86_64_next(&reading.reader, &reading.left))
        if (reading.left.svma == return_svma)
            *out = target_of(&reading.reader.instruction);
    return 0;
}

/* What the instructions so far have of a jump by a table of distances to it: base[index * 4] + base. */
struct table_jump {
    ZydisRegister base; /* ZYDIS_REGISTER_NONE: no distance was just read */
    ZydisRegister distance;
    ZydisRegister target; /* ZYDIS_REGISTER_NONE: the sum was not just made */
};

static bool reads_distance(const ZydisDecodedOperand *operands)
{
    enum { DISTANCE_BYTES = 4 };
    const ZydisDecodedOperand *from = &operands[1];

    return operands[0].type == ZYDIS_OPERAND_TYPE_REGISTER && from->type == ZYDIS_OPERAND_TYPE_MEMORY &&
           from->mem.base != ZYDIS_REGISTER_NONE && from->mem.index != ZYDIS_REGISTER_NONE &&
           from->mem.scale == DISTANCE_BYTES && from->mem.disp.value == 0;
}

/* Whether it adds base and distance, to either. */
static bool adds_base(const ZydisDecodedOperand *operands, const struct table_jump *so_far)
{
    return so_far->base != ZYDIS_REGISTER_NONE && so_far->base != so_far->distance &&
           ((x86_64_is_register(&operands[0], so_far->distance) &&
             x86_64_is_register(&operands[1], so_far->base)) ||
            (x86_64_is_register(&operands[0], so_far->base) &&
             x86_64_is_register(&operands[1], so_far->distance)));
}

/* Of one instruction behind another. */
static struct table_jump go_on(struct table_jump so_far, const struct x86_64_instruction *instruction)
{
    const ZydisDecodedOperand *operands = instruction->operands;

    if (instruction->info.mnemonic == ZYDIS_MNEMONIC_MOVSXD && reads_distance(operands))
        return (struct table_jump){.base = operands[1].mem.base, .distance = operands[0].reg.value};
    if (instruction->info.mnemonic == ZYDIS_MNEMONIC_ADD && adds_base(operands, &so_far))
        return (struct table_jump){.target = operands[0].reg.value};
    return (struct table_jump){0};
}

static bool jumps_by_table(const struct x86_64_instruction *instruction, const struct table_jump *so_far)
{
    return instruction->info.mnemonic == ZYDIS_MNEMONIC_JMP && so_far->target != ZYDIS_REGISTER_NONE &&
           x86_64_is_register(&instruction->operands[0], so_far->target);
}

static bool jumps_out(const struct x86_64_instruction *instruction, const struct code_bytes *function)
{
    uint64_t svma = 0;

    return x86_64_jumps(instruction) &&
           (!x86_64_target(instruction, &svma) || svma - function->svma >= function->bytes.length);
}

/* Calls to within are of code that takes the return address for its own use. */
static bool calls_within(const struct x86_64_instruction *instruction, const struct code_bytes *function)
{
    struct call_target target = target_of(instruction);

    return target.kind == CALL_DIRECT && target.svma != function->svma &&
           target.svma - function->svma < function->bytes.length;
}

/* Whether it sets what a return behind it goes to. */
static bool sets_return_address(const struct x86_64_instruction *instruction)
{
    const ZydisDecodedOperand *to = &instruction->operands[0];

    return instruction->info.mnemonic == ZYDIS_MNEMONIC_PUSH ||
           (instruction->info.mnemonic == ZYDIS_MNEMONIC_MOV && x86_64_is_by_one_register(to) &&
            to->mem.base == ZYDIS_REGISTER_RSP && to->mem.disp.value == 0);
}

/* Whether what comes behind it is reached in another way, if ever: a call there is of what does not return.
 */
static bool is_last(const struct x86_64_instruction *instruction)
{
    return !x86_64_goes_on(instruction) || instruction->info.meta.category == ZYDIS_CATEGORY_CALL ||
           instruction->info.meta.category == ZYDIS_CATEGORY_INTERRUPT;
}

enum { JUMP = 0xe9, TWO_BYTES = 0x0f, JUMP_IF = 0x80, CONDITIONS = 0x0f };

/* Whether a jump's distance, which ends there, looks like one to another function. */
static bool looks_far(struct slice function, size_t end)
{
    enum { FARTHEST = 1 << 26 };
    int32_t distance = 0;

    if (end > function.length)
        return false;
    memcpy(&distance, function.data + end - sizeof(distance), sizeof(distance));
    return distance > -FARTHEST && distance < FARTHEST &&
           end + (uint64_t)(int64_t)distance >= function.length;
}

/*
 * Whether some bytes that begin like this look like a direct jump out of the function, wherever its
 * instructions begin. Most functions that go on in another one have such a jump, and this takes little beside
 * taking instructions apart.
 */
static bool looks_like_jumping_out(struct slice function, uint8_t first)
{
    enum { DISTANCE_BYTES = 4 };
    const char *end = function.data + function.length;
    const size_t opcode_bytes = first == JUMP ? 1 : 2;

    for (const char *at = function.data; at + opcode_bytes < end; at++) {
        at = memchr(at, first, (size_t)(end - at) - opcode_bytes);
        if (!at)
            return false;
        if ((first == JUMP || ((uint8_t)at[1] & ~CONDITIONS) == JUMP_IF) &&
            looks_far(function, (size_t)(at - function.data) + opcode_bytes + DISTANCE_BYTES))
            return true;
    }
    return false;
}

/* Whether it goes on elsewhere behind this instruction, by a jump or, as retpolines do, by a return. */
static bool leaves(const struct x86_64_instruction *instruction, const struct code_bytes *function,
                   bool is_return_set)
{
    return jumps_out(instruction, function) || calls_within(instruction, function) ||
           (is_return_set && instruction->info.meta.category == ZYDIS_CATEGORY_RET);
}

static enum calls_jumps find_jumps(struct reading *reading, const struct code_bytes *function)
{
    const struct x86_64_instruction *instruction = &reading->reader.instruction;
    enum calls_jumps found = CALLS_JUMPS_WITHIN;
    struct table_jump table = {0};
    bool is_return_set = false;

    while (x86_64_next(&reading->reader, &reading->left)) {
        if (jumps_by_table(instruction, &table))
            found = CALLS_JUMPS_BY_TABLE;
        else if (leaves(instruction, function, is_return_set))
            return CALLS_JUMPS_OUT;
        table = go_on(table, instruction);
        is_return_set = sets_return_address(instruction);
    }
    return reading->left.bytes.length == 0 && function->bytes.length > 0 && is_last(instruction)
               ? found
               : CALLS_JUMPS_OUT;
}

int calls_find_jumps(const struct code_bytes *function, enum calls_jumps *out, struct error *err)
{
    struct reading reading;

    if (function->bytes.length > CALLS_MOST_BYTES || looks_like_jumping_out(function->bytes, JUMP) ||
        looks_like_jumping_out(function->bytes, TWO_BYTES)) {
        *out = CALLS_JUMPS_OUT;
        return 0;
    }
    if (begin(function, &reading, err) < 0)
        return -1;
    *out = find_jumps(&reading, function);
    return 0;
}
