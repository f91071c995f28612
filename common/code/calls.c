#include "code/calls.h"

#include <string.h>

#include "code/vector_instruction.h"
#include "code/x86_64.h"

/* One function while its instructions are gone through. */
struct reading {
    struct x86_64_reader reader;
    const uint8_t *bytes;
    size_t left;
    uint64_t svma; /* of the next instruction */
};

static int begin(const struct code_bytes *function, struct reading *out, struct error *err)
{
    struct reading reading = {.bytes = (const uint8_t *)function->bytes.data,
                              .left = function->bytes.length < CALLS_MOST_BYTES ? function->bytes.length
                                                                                : CALLS_MOST_BYTES,
                              .svma = function->svma};

    if (x86_64_load(&reading.reader, err) < 0)
        return -1;
    *out = reading;
    return 0;
}

/* Goes over one instruction, which is `*instruction`, or NULL for one of vectors. False: it is not known. */
static bool next(struct reading *reading, const cs_insn **instruction)
{
    struct vector_instruction vector = {0};

    if (reading->reader.capstone->next(reading->reader.handle, &reading->bytes, &reading->left,
                                       &reading->svma, reading->reader.instruction)) {
        *instruction = reading->reader.instruction;
        return true;
    }
    *instruction = NULL;
    if (!vector_instruction_read((struct slice){(const char *)reading->bytes, reading->left}, &vector))
        return false;
    reading->bytes += vector.length;
    reading->left -= vector.length;
    reading->svma += vector.length;
    return true;
}

static struct call_target target_of(const cs_insn *instruction)
{
    const cs_x86 *x86 = &instruction->detail->x86;
    const cs_x86_op *operand = &x86->operands[0];

    if (instruction->id != X86_INS_CALL || x86->op_count != 1)
        return (struct call_target){0};
    if (operand->type == X86_OP_IMM)
        return (struct call_target){CALL_DIRECT, (uint64_t)operand->imm};
    if (operand->type == X86_OP_MEM && operand->mem.base == X86_REG_RIP &&
        operand->mem.index == X86_REG_INVALID)
        return (struct call_target){CALL_THROUGH,
                                    instruction->address + instruction->size + (uint64_t)operand->mem.disp};
    return (struct call_target){0};
}

int calls_target(const struct code_bytes *function, uint64_t return_svma, struct call_target *out,
                 struct error *err)
{
    struct reading reading;
    const cs_insn *instruction = NULL;

    if (begin(function, &reading, err) < 0)
        return -1;
    *out = (struct call_target){0};
    while (reading.left > 0 && reading.svma < return_svma && next(&reading, &instruction))
        if (reading.svma == return_svma && instruction)
            *out = target_of(instruction);
    x86_64_close(&reading.reader);
    return 0;
}

/* What the instructions so far have of a jump by a table of distances to it: base[index * 4] + base. */
struct table_jump {
    x86_reg base; /* X86_REG_INVALID: no distance was just read */
    x86_reg distance;
    x86_reg target; /* X86_REG_INVALID: the sum was not just made */
};

static bool reads_distance(const cs_x86 *x86)
{
    enum { DISTANCE_BYTES = 4 };
    const x86_op_mem *from = &x86->operands[1].mem;

    return x86->op_count == 2 && x86->operands[0].type == X86_OP_REG && x86->operands[1].type == X86_OP_MEM &&
           from->base != X86_REG_INVALID && from->base != X86_REG_RIP && from->index != X86_REG_INVALID &&
           from->scale == DISTANCE_BYTES && from->disp == 0;
}

/* Whether it adds base and distance, to either. */
static bool adds_base(const cs_x86 *x86, const struct table_jump *so_far)
{
    const cs_x86_op *to = &x86->operands[0];
    const cs_x86_op *from = &x86->operands[1];

    return so_far->base != X86_REG_INVALID && so_far->base != so_far->distance && x86->op_count == 2 &&
           to->type == X86_OP_REG && from->type == X86_OP_REG &&
           ((to->reg == so_far->distance && from->reg == so_far->base) ||
            (to->reg == so_far->base && from->reg == so_far->distance));
}

/* Of one instruction behind another. */
static struct table_jump go_on(struct table_jump so_far, const cs_insn *instruction)
{
    const cs_x86 *x86 = NULL;

    if (!instruction)
        return (struct table_jump){0};
    x86 = &instruction->detail->x86;
    if (instruction->id == X86_INS_MOVSXD && reads_distance(x86))
        return (struct table_jump){.base = x86->operands[1].mem.base, .distance = x86->operands[0].reg};
    if (instruction->id == X86_INS_ADD && adds_base(x86, &so_far))
        return (struct table_jump){.target = x86->operands[0].reg};
    return (struct table_jump){0};
}

static bool jumps_by_table(const cs_insn *instruction, const struct table_jump *so_far)
{
    const cs_x86_op *to = &instruction->detail->x86.operands[0];

    return instruction->id == X86_INS_JMP && so_far->target != X86_REG_INVALID && to->type == X86_OP_REG &&
           to->reg == so_far->target;
}

static bool jumps_out(const cs_insn *instruction, const struct code_bytes *function)
{
    const cs_x86 *x86 = &instruction->detail->x86;

    if (!x86_64_is_in_group(instruction, X86_GRP_JUMP))
        return false;
    return x86->op_count != 1 || x86->operands[0].type != X86_OP_IMM ||
           (uint64_t)x86->operands[0].imm - function->svma >= function->bytes.length;
}

/* Calls to within are of code that takes the return address for its own use. */
static bool calls_within(const cs_insn *instruction, const struct code_bytes *function)
{
    struct call_target target = target_of(instruction);

    return target.kind == CALL_DIRECT && target.svma != function->svma &&
           target.svma - function->svma < function->bytes.length;
}

/* Whether it sets what a return behind it goes to. */
static bool sets_return_address(const cs_insn *instruction)
{
    const cs_x86_op *to = &instruction->detail->x86.operands[0];

    return instruction->id == X86_INS_PUSH ||
           (instruction->id == X86_INS_MOV && to->type == X86_OP_MEM && to->mem.base == X86_REG_RSP &&
            to->mem.index == X86_REG_INVALID && to->mem.disp == 0);
}

/* Whether what comes behind it is reached in another way, if ever: a call there is of what does not return.
 */
static bool is_last(const cs_insn *instruction)
{
    return !x86_64_goes_on(instruction) || x86_64_is_in_group(instruction, X86_GRP_CALL) ||
           x86_64_is_in_group(instruction, X86_GRP_INT);
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
static bool leaves(const cs_insn *instruction, const struct code_bytes *function, bool is_return_set)
{
    return jumps_out(instruction, function) || calls_within(instruction, function) ||
           (is_return_set && x86_64_is_in_group(instruction, X86_GRP_RET));
}

static enum calls_jumps find_jumps(struct reading *reading, const struct code_bytes *function)
{
    const cs_insn *instruction = NULL;
    enum calls_jumps found = CALLS_JUMPS_WITHIN;
    struct table_jump table = {0};
    bool is_return_set = false;

    while (reading->left > 0) {
        if (!next(reading, &instruction))
            return CALLS_JUMPS_OUT;
        if (instruction && jumps_by_table(instruction, &table))
            found = CALLS_JUMPS_BY_TABLE;
        else if (instruction && leaves(instruction, function, is_return_set))
            return CALLS_JUMPS_OUT;
        table = go_on(table, instruction);
        is_return_set = instruction && sets_return_address(instruction);
    }
    return instruction && is_last(instruction) ? found : CALLS_JUMPS_OUT;
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
    x86_64_close(&reading.reader);
    return 0;
}
