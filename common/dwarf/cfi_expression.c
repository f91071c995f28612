#include "dwarf/cfi_expression.h"

#include <dwarf.h>

#include "base/bytes.h"

enum { MOST_STEPS = 256, MOST_DEPTH = 32 };

struct evaluation {
    struct bytes code;
    const struct cfi_surroundings *surroundings;
    uint64_t stack[MOST_DEPTH];
    size_t depth;
    enum cfi_value state; /* CFI_VALUE_KNOWN as long as it goes on */
};

static void give_up(struct evaluation *evaluation)
{
    if (evaluation->state == CFI_VALUE_KNOWN)
        evaluation->state = CFI_VALUE_UNKNOWN;
}

static void push(struct evaluation *evaluation, uint64_t value)
{
    if (evaluation->depth == MOST_DEPTH)
        give_up(evaluation);
    else
        evaluation->stack[evaluation->depth++] = value;
}

static uint64_t pop(struct evaluation *evaluation)
{
    if (evaluation->depth == 0) {
        give_up(evaluation);
        return 0;
    }
    return evaluation->stack[--evaluation->depth];
}

/* The value so many below the top is pushed once more. */
static void pick(struct evaluation *evaluation, size_t index)
{
    if (index >= evaluation->depth)
        give_up(evaluation);
    else
        push(evaluation, evaluation->stack[evaluation->depth - 1 - index]);
}

/* The topmost `count` values move up by one, the top goes below them. */
static void rotate(struct evaluation *evaluation, size_t count)
{
    uint64_t *top = evaluation->stack + evaluation->depth;
    uint64_t last = 0;

    if (evaluation->depth < count) {
        give_up(evaluation);
        return;
    }
    last = top[-1];
    for (size_t i = 1; i < count; i++)
        top[-(ptrdiff_t)i] = top[-(ptrdiff_t)i - 1];
    top[-(ptrdiff_t)count] = last;
}

static void push_register(struct evaluation *evaluation, uint64_t number, int64_t offset)
{
    const struct cfi_surroundings *surroundings = evaluation->surroundings;
    uint64_t value = 0;

    if (number > UINT32_MAX || !surroundings->find_register(surroundings->context, (uint32_t)number, &value))
        give_up(evaluation);
    push(evaluation, value + (uint64_t)offset);
}

static void dereference(struct evaluation *evaluation, unsigned bytes)
{
    const struct cfi_surroundings *surroundings = evaluation->surroundings;
    uint64_t address = pop(evaluation);
    uint64_t value = 0;

    if (bytes == 0 || bytes > 8) {
        give_up(evaluation);
        return;
    }
    if (evaluation->state == CFI_VALUE_KNOWN && !surroundings->read(surroundings->context, address, &value))
        evaluation->state = CFI_VALUE_UNREADABLE;
    if (evaluation->code.big_endian)
        value >>= 8 * (8 - bytes);
    push(evaluation, bytes == 8 ? value : value & ((UINT64_C(1) << 8 * bytes) - 1));
}

static void jump(struct evaluation *evaluation)
{
    int16_t distance = (int16_t)bytes_u16(&evaluation->code);

    bytes_seek(&evaluation->code, evaluation->code.at + (uint64_t)(int64_t)distance);
}

/* Numbers that stand in the code. False: it is another operation. */
static bool push_constant(struct evaluation *evaluation, uint8_t operation)
{
    struct bytes *code = &evaluation->code;

    if (operation >= DW_OP_lit0 && operation <= DW_OP_lit31) {
        push(evaluation, operation - DW_OP_lit0);
        return true;
    }
    switch (operation) {
    case DW_OP_addr:
    case DW_OP_const8u:
    case DW_OP_const8s:
        push(evaluation, bytes_u64(code));
        return true;
    case DW_OP_const1u:
        push(evaluation, bytes_u8(code));
        return true;
    case DW_OP_const1s:
        push(evaluation, (uint64_t)(int8_t)bytes_u8(code));
        return true;
    case DW_OP_const2u:
        push(evaluation, bytes_u16(code));
        return true;
    case DW_OP_const2s:
        push(evaluation, (uint64_t)(int16_t)bytes_u16(code));
        return true;
    case DW_OP_const4u:
        push(evaluation, bytes_u32(code));
        return true;
    case DW_OP_const4s:
        push(evaluation, (uint64_t)(int32_t)bytes_u32(code));
        return true;
    case DW_OP_constu:
        push(evaluation, bytes_uleb128(code));
        return true;
    case DW_OP_consts:
        push(evaluation, (uint64_t)bytes_sleb128(code));
        return true;
    default:
        return false;
    }
}

static bool compares(uint8_t operation, int64_t left, int64_t right)
{
    switch (operation) {
    case DW_OP_eq:
        return left == right;
    case DW_OP_ge:
        return left >= right;
    case DW_OP_gt:
        return left > right;
    case DW_OP_le:
        return left <= right;
    case DW_OP_lt:
        return left < right;
    default:
        return left != right;
    }
}

/* Arithmetic shift without relying on how the compiler does it. */
static uint64_t shift_signed(uint64_t value, uint64_t by)
{
    uint64_t sign = value >> 63 ? UINT64_MAX : 0;

    if (by == 0)
        return value;
    return by > 63 ? sign : value >> by | (sign << (64 - by));
}

static uint64_t divide(struct evaluation *evaluation, int64_t left, int64_t right)
{
    if (right == 0 || (left == INT64_MIN && right == -1)) {
        give_up(evaluation);
        return 0;
    }
    return (uint64_t)(left / right);
}

/* What two values make. False: it is another operation. */
static bool combine(struct evaluation *evaluation, uint8_t operation, uint64_t left, uint64_t right,
                    uint64_t *out)
{
    switch (operation) {
    case DW_OP_and:
        *out = left & right;
        return true;
    case DW_OP_or:
        *out = left | right;
        return true;
    case DW_OP_xor:
        *out = left ^ right;
        return true;
    case DW_OP_plus:
        *out = left + right;
        return true;
    case DW_OP_minus:
        *out = left - right;
        return true;
    case DW_OP_mul:
        *out = left * right;
        return true;
    case DW_OP_div:
        *out = divide(evaluation, (int64_t)left, (int64_t)right);
        return true;
    case DW_OP_mod:
        if (right == 0)
            give_up(evaluation);
        *out = right == 0 ? 0 : left % right;
        return true;
    case DW_OP_shl:
        *out = right > 63 ? 0 : left << right;
        return true;
    case DW_OP_shr:
        *out = right > 63 ? 0 : left >> right;
        return true;
    case DW_OP_shra:
        *out = shift_signed(left, right);
        return true;
    default:
        if (operation < DW_OP_eq || operation > DW_OP_ne)
            return false;
        *out = compares(operation, (int64_t)left, (int64_t)right);
        return true;
    }
}

static void run_binary(struct evaluation *evaluation, uint8_t operation)
{
    uint64_t right = pop(evaluation);
    uint64_t left = pop(evaluation);
    uint64_t result = 0;

    if (!combine(evaluation, operation, left, right, &result))
        give_up(evaluation);
    push(evaluation, result);
}

static void run_unary(struct evaluation *evaluation, uint8_t operation)
{
    uint64_t value = pop(evaluation);

    switch (operation) {
    case DW_OP_abs:
        value = value >> 63 ? 0 - value : value;
        break;
    case DW_OP_neg:
        value = 0 - value;
        break;
    case DW_OP_not:
        value = ~value;
        break;
    default: /* DW_OP_plus_uconst */
        value += bytes_uleb128(&evaluation->code);
        break;
    }
    push(evaluation, value);
}

static void run_operation(struct evaluation *evaluation, uint8_t operation)
{
    struct bytes *code = &evaluation->code;
    uint64_t number = 0;

    switch (operation) {
    case DW_OP_nop:
        break;
    case DW_OP_deref:
        dereference(evaluation, 8);
        break;
    case DW_OP_deref_size:
        dereference(evaluation, bytes_u8(code));
        break;
    case DW_OP_bregx:
        number = bytes_uleb128(code);
        push_register(evaluation, number, bytes_sleb128(code));
        break;
    case DW_OP_dup:
        pick(evaluation, 0);
        break;
    case DW_OP_over:
        pick(evaluation, 1);
        break;
    case DW_OP_pick:
        pick(evaluation, bytes_u8(code));
        break;
    case DW_OP_drop:
        pop(evaluation);
        break;
    case DW_OP_swap:
        rotate(evaluation, 2);
        break;
    case DW_OP_rot:
        rotate(evaluation, 3);
        break;
    case DW_OP_skip:
        jump(evaluation);
        break;
    case DW_OP_bra:
        if (pop(evaluation) != 0)
            jump(evaluation);
        else
            bytes_skip(code, 2);
        break;
    case DW_OP_abs:
    case DW_OP_neg:
    case DW_OP_not:
    case DW_OP_plus_uconst:
        run_unary(evaluation, operation);
        break;
    default:
        run_binary(evaluation, operation);
        break;
    }
}

static void run_step(struct evaluation *evaluation)
{
    uint8_t operation = bytes_u8(&evaluation->code);

    if (operation >= DW_OP_breg0 && operation <= DW_OP_breg31)
        push_register(evaluation, operation - DW_OP_breg0, bytes_sleb128(&evaluation->code));
    /* DWARF 5 §6.4.2 has these name a place, which is no value. Unwinders take them for the register's value,
     * as libgcc's execute_stack_op does, and who writes assembly relies on it. */
    else if (operation >= DW_OP_reg0 && operation <= DW_OP_reg31)
        push_register(evaluation, operation - DW_OP_reg0, 0);
    else if (!push_constant(evaluation, operation))
        run_operation(evaluation, operation);
    if (evaluation->code.failed)
        give_up(evaluation);
}

enum cfi_value cfi_expression_run(struct slice section, uint32_t offset, const uint64_t *initial,
                                  const struct cfi_surroundings *surroundings, uint64_t *out)
{
    struct bytes cursor = bytes_of_ours(section);
    struct evaluation evaluation = {.surroundings = surroundings};
    uint64_t result = 0;

    bytes_seek(&cursor, offset);
    evaluation.code = bytes_of(bytes_take(&cursor, bytes_uleb128(&cursor)), cursor.big_endian);
    if (cursor.failed)
        return CFI_VALUE_UNKNOWN;
    if (initial)
        push(&evaluation, *initial);
    for (int steps = 0; bytes_left(&evaluation.code) > 0 && evaluation.state == CFI_VALUE_KNOWN; steps++) {
        if (steps == MOST_STEPS)
            return CFI_VALUE_UNKNOWN;
        run_step(&evaluation);
    }
    result = pop(&evaluation);
    if (evaluation.state == CFI_VALUE_KNOWN)
        *out = result;
    return evaluation.state;
}
