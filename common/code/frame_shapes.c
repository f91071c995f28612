#include "code/frame_shapes.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/search.h"
#include "code/vector_instruction.h"
#include "code/x86_64.h"

enum {
    WORD = 8,
    LARGEST_FRAME = 1 << 28,
    MOST_PASSES = 8,
};

/* The registers whose values in the caller are followed. */
enum { FRAME_POINTER, BASE_POINTER, FOLLOWED };

/* What is known before an instruction. Offsets are from a register to the CFA. */
struct flow {
    bool is_known; /* false: no way that leads here was seen */
    bool sp_is_known;
    bool fp_is_known; /* that the frame pointer is one */
    int32_t sp_offset;
    int32_t fp_offset;
    struct frame_register callers[FOLLOWED];
};

struct follower {
    const struct code_bytes *function;
    struct frame_shapes *out;
    struct flow flow;
    struct frame_shape last; /* that was noted */
    VEC(struct flow) flows;  /* what is known where jumps lead */
    uint32_t *flow_at; /* owned; by byte of the function: the index in flows plus 1; 0: no jump leads there */
    struct flow table; /* where the last jump through a table or register stands */
    bool takes_table;  /* it is known of code that nothing else is known of */
    bool is_behind_call;
    size_t unknown_count; /* instructions in this pass */
};

static void follower_done(struct follower *follower)
{
    vec_done(&follower->flows);
    free(follower->flow_at);
}

void frame_shapes_done(struct frame_shapes *shapes)
{
    vec_done(&shapes->items);
}

/* --- Registers ------------------------------------------------------------------------------------------ */

static bool is_one_of(x86_reg reg, x86_reg wide, x86_reg half, x86_reg word, x86_reg byte)
{
    return reg == wide || reg == half || reg == word || reg == byte;
}

static bool is_sp(x86_reg reg)
{
    return is_one_of(reg, X86_REG_RSP, X86_REG_ESP, X86_REG_SP, X86_REG_SPL);
}

static bool is_fp(x86_reg reg)
{
    return is_one_of(reg, X86_REG_RBP, X86_REG_EBP, X86_REG_BP, X86_REG_BPL);
}

static bool is_base(x86_reg reg)
{
    return is_one_of(reg, X86_REG_RBX, X86_REG_EBX, X86_REG_BX, X86_REG_BL) || reg == X86_REG_BH;
}

static void lose(struct frame_register *value)
{
    if (value->saved == FRAME_IN_REGISTER)
        value->saved = FRAME_LOST;
}

/* Something is written to a register, whatever it is. */
static void overwrite(struct flow *flow, x86_reg reg)
{
    if (is_sp(reg)) {
        flow->sp_is_known = false;
    } else if (is_fp(reg)) {
        flow->fp_is_known = false;
        lose(&flow->callers[FRAME_POINTER]);
    } else if (is_base(reg)) {
        lose(&flow->callers[BASE_POINTER]);
    }
}

/* FOLLOWED: another one. */
static int followed(x86_reg reg)
{
    return reg == X86_REG_RBP ? FRAME_POINTER : reg == X86_REG_RBX ? BASE_POINTER : FOLLOWED;
}

/* A register is stored at CFA + offset. Its first value is the caller's. */
static void store(struct flow *flow, x86_reg reg, int64_t offset)
{
    int index = followed(reg);

    if (index < FOLLOWED && flow->callers[index].saved == FRAME_IN_REGISTER && offset < 0 &&
        offset > -LARGEST_FRAME)
        flow->callers[index] = (struct frame_register){FRAME_STORED, (int32_t)offset};
}

/* A register is read from CFA + offset. */
static void load(struct flow *flow, x86_reg reg, int64_t offset)
{
    int index = followed(reg);
    bool is_back = index < FOLLOWED && flow->callers[index].saved == FRAME_STORED &&
                   flow->callers[index].offset == offset;

    overwrite(flow, reg);
    if (is_back)
        flow->callers[index] = (struct frame_register){0};
}

static void set_sp(struct flow *flow, bool is_known, int64_t offset)
{
    flow->sp_is_known = is_known && offset >= 0 && offset < LARGEST_FRAME;
    flow->sp_offset = flow->sp_is_known ? (int32_t)offset : 0;
}

static void set_fp(struct flow *flow, bool is_known, int64_t offset)
{
    overwrite(flow, X86_REG_RBP);
    flow->fp_is_known = is_known && offset >= 0 && offset < LARGEST_FRAME;
    flow->fp_offset = flow->fp_is_known ? (int32_t)offset : 0;
}

/* --- Instructions --------------------------------------------------------------------------------------- */

/* Whether the operand is memory at CFA + offset. */
static bool is_in_frame(const struct flow *flow, const cs_x86_op *operand, int64_t *offset)
{
    if (operand->type != X86_OP_MEM || operand->mem.index != X86_REG_INVALID ||
        operand->mem.segment != X86_REG_INVALID)
        return false;
    if (operand->mem.base == X86_REG_RSP && flow->sp_is_known)
        *offset = operand->mem.disp - flow->sp_offset;
    else if (operand->mem.base == X86_REG_RBP && flow->fp_is_known)
        *offset = operand->mem.disp - flow->fp_offset;
    else
        return false;
    return true;
}

static bool is_register(const cs_x86_op *operand, x86_reg reg)
{
    return operand->type == X86_OP_REG && operand->reg == reg;
}

static void overwrite_all(struct flow *flow, const cs_insn *instruction)
{
    const cs_detail *detail = instruction->detail;

    for (uint8_t i = 0; i < detail->x86.op_count && i < ARRAY_COUNT(detail->x86.operands); i++)
        if (detail->x86.operands[i].type == X86_OP_REG && (detail->x86.operands[i].access & CS_AC_WRITE))
            overwrite(flow, detail->x86.operands[i].reg);
    for (uint8_t i = 0; i < detail->regs_write_count && i < ARRAY_COUNT(detail->regs_write); i++)
        overwrite(flow, (x86_reg)detail->regs_write[i]);
}

static void push(struct flow *flow, const cs_x86_op *operand)
{
    int64_t size = operand && operand->size == 2 ? 2 : WORD;

    set_sp(flow, flow->sp_is_known, flow->sp_offset + size);
    if (flow->sp_is_known && operand && operand->type == X86_OP_REG)
        store(flow, operand->reg, -(int64_t)flow->sp_offset);
}

static void pop(struct flow *flow, const cs_x86_op *operand)
{
    int64_t size = operand && operand->size == 2 ? 2 : WORD;

    if (operand && operand->type == X86_OP_REG && flow->sp_is_known)
        load(flow, operand->reg, -(int64_t)flow->sp_offset);
    else if (operand && operand->type == X86_OP_REG)
        overwrite(flow, operand->reg);
    set_sp(flow, flow->sp_is_known && !(operand && is_register(operand, X86_REG_RSP)),
           flow->sp_offset - size);
}

static void leave(struct flow *flow)
{
    static const cs_x86_op frame_pointer = {.type = X86_OP_REG, .reg = X86_REG_RBP, .size = WORD};

    set_sp(flow, flow->fp_is_known, flow->fp_offset);
    pop(flow, &frame_pointer);
}

static void move(struct flow *flow, const cs_insn *instruction)
{
    const cs_x86_op *to = &instruction->detail->x86.operands[0];
    const cs_x86_op *from = &instruction->detail->x86.operands[1];
    int64_t offset = 0;

    if (is_register(to, X86_REG_RBP) && is_register(from, X86_REG_RSP))
        set_fp(flow, flow->sp_is_known, flow->sp_offset);
    else if (is_register(to, X86_REG_RSP) && is_register(from, X86_REG_RBP))
        set_sp(flow, flow->fp_is_known, flow->fp_offset);
    else if (from->type == X86_OP_REG && from->size == WORD && is_in_frame(flow, to, &offset))
        store(flow, from->reg, offset);
    else if (to->type == X86_OP_REG && to->size == WORD && is_in_frame(flow, from, &offset))
        load(flow, to->reg, offset);
    else
        overwrite_all(flow, instruction);
}

static void load_address(struct flow *flow, const cs_insn *instruction)
{
    const cs_x86_op *to = &instruction->detail->x86.operands[0];
    int64_t offset = 0;
    bool is_known = is_in_frame(flow, &instruction->detail->x86.operands[1], &offset);

    if (is_register(to, X86_REG_RSP))
        set_sp(flow, is_known, -offset);
    else if (is_register(to, X86_REG_RBP))
        set_fp(flow, is_known, -offset);
    else
        overwrite_all(flow, instruction);
}

/* `sign` is what adding makes of the distance from the stack pointer up to the CFA. */
static void add(struct flow *flow, const cs_insn *instruction, int sign)
{
    const cs_x86_op *to = &instruction->detail->x86.operands[0];
    const cs_x86_op *by = &instruction->detail->x86.operands[1];

    if (is_register(to, X86_REG_RSP) && by->type == X86_OP_IMM && by->imm > -LARGEST_FRAME &&
        by->imm < LARGEST_FRAME)
        set_sp(flow, flow->sp_is_known, flow->sp_offset + sign * by->imm);
    else
        overwrite_all(flow, instruction);
}

static void change(struct flow *flow, const cs_insn *instruction)
{
    const cs_x86 *x86 = &instruction->detail->x86;
    uint64_t next = instruction->address + instruction->size;

    switch (instruction->id) {
    case X86_INS_PUSH:
    case X86_INS_PUSHFQ:
        push(flow, x86->op_count > 0 ? &x86->operands[0] : NULL);
        break;
    case X86_INS_POP:
    case X86_INS_POPFQ:
        pop(flow, x86->op_count > 0 ? &x86->operands[0] : NULL);
        break;
    case X86_INS_CALL: /* whose target comes next is how code asks where it is */
        if (x86->op_count > 0 && x86->operands[0].type == X86_OP_IMM &&
            (uint64_t)x86->operands[0].imm == next)
            push(flow, NULL);
        break;
    case X86_INS_LEAVE:
        leave(flow);
        break;
    case X86_INS_ENTER:
        overwrite(flow, X86_REG_RSP);
        overwrite(flow, X86_REG_RBP);
        break;
    case X86_INS_MOV:
        move(flow, instruction);
        break;
    case X86_INS_LEA:
        load_address(flow, instruction);
        break;
    case X86_INS_ADD:
        add(flow, instruction, -1);
        break;
    case X86_INS_SUB:
        add(flow, instruction, 1);
        break;
    default:
        overwrite_all(flow, instruction);
    }
}

/* --- Jumps ---------------------------------------------------------------------------------------------- */

/* Whether the next instruction is reached from this one. */
static bool goes_on(const cs_insn *instruction)
{
    switch (instruction->id) {
    case X86_INS_JMP:
    case X86_INS_LJMP:
    case X86_INS_UD2:
    case X86_INS_INT3:
    case X86_INS_HLT:
        return false;
    default:
        return !x86_64_is_in_group(instruction, X86_GRP_RET) &&
               !x86_64_is_in_group(instruction, X86_GRP_IRET);
    }
}

/*
 * Where a loop moves the stack pointer, as one does that touches each page of a large frame, nobody knows how
 * often.
 */
static void leave_loop(struct follower *follower, uint64_t target)
{
    const struct frame_shape *start = frame_shapes_find(follower->out, target);
    struct flow *flow = &follower->flow;

    if (start && !start->by_frame_pointer && flow->sp_is_known && start->cfa_offset != flow->sp_offset)
        flow->sp_is_known = false;
}

/* What is known here is known where a jump leads to; what was known first counts. */
static void note_jump(struct follower *follower, const cs_insn *instruction)
{
    const struct code_bytes *function = follower->function;
    const cs_x86_op *to = &instruction->detail->x86.operands[0];
    uint64_t offset = 0;

    if (!follower->flow.is_known || !x86_64_is_in_group(instruction, X86_GRP_JUMP) ||
        instruction->detail->x86.op_count != 1)
        return;
    if (to->type != X86_OP_IMM) {
        if (follower->flow.sp_offset != WORD) /* or the function is left for another one */
            follower->table = follower->flow;
        return;
    }
    offset = (uint64_t)to->imm - function->svma;
    if (offset >= function->bytes.length)
        return;
    if (!follower->flow_at[offset]) {
        *vec_add(&follower->flows) = follower->flow;
        follower->flow_at[offset] = (uint32_t)follower->flows.count;
    }
    if ((uint64_t)to->imm <= instruction->address)
        leave_loop(follower, (uint64_t)to->imm);
}

/*
 * What is known at this address beside what the instruction before tells, which counts unless it was a call:
 * that may never come back, and what follows is then reached by jumps alone.
 */
static void take_jump(struct follower *follower, uint64_t svma)
{
    uint32_t number = follower->flow_at[svma - follower->function->svma];

    if (follower->flow.is_known && !follower->is_behind_call)
        return;
    if (number > 0 && number <= follower->flows.count)
        follower->flow = follower->flows.items[number - 1];
    else if (!follower->flow.is_known && follower->takes_table)
        follower->flow = follower->table;
    follower->unknown_count += !follower->flow.is_known;
}

/* --- The function --------------------------------------------------------------------------------------- */

static struct frame_shape shape_of(const struct flow *flow, uint64_t svma)
{
    struct frame_shape shape = {.svma = svma};

    if (!flow->is_known)
        return shape;
    shape.is_followed = true;
    shape.is_known = flow->sp_is_known || flow->fp_is_known;
    shape.by_frame_pointer = flow->fp_is_known;
    shape.cfa_offset = flow->fp_is_known ? flow->fp_offset : flow->sp_offset;
    shape.frame = flow->callers[FRAME_POINTER];
    shape.base = flow->callers[BASE_POINTER];
    return shape;
}

static bool is_same_register(const struct frame_register *a, const struct frame_register *b)
{
    return a->saved == b->saved && a->offset == b->offset;
}

static bool is_same_shape(const struct frame_shape *a, const struct frame_shape *b)
{
    return a->is_followed == b->is_followed && a->is_known == b->is_known &&
           a->by_frame_pointer == b->by_frame_pointer && a->cfa_offset == b->cfa_offset &&
           is_same_register(&a->frame, &b->frame) && is_same_register(&a->base, &b->base);
}

static void note_shape(struct follower *follower, uint64_t svma)
{
    struct frame_shape shape = shape_of(&follower->flow, svma);

    if (is_same_shape(&shape, &follower->last))
        return;
    *vec_add(&follower->out->items) = shape;
    follower->last = shape;
}

/* Goes through the function from its start to its end. */
static void pass(struct follower *follower, struct x86_64_reader *reader)
{
    const uint8_t *bytes = (const uint8_t *)follower->function->bytes.data;
    size_t left = follower->function->bytes.length;
    uint64_t svma = follower->function->svma;

    follower->out->items.count = 0;
    follower->last = (struct frame_shape){.cfa_offset = -1}; /* like none */
    follower->unknown_count = 0;
    follower->flow = (struct flow){.is_known = true, .sp_is_known = true, .sp_offset = WORD};
    while (left > 0) {
        struct vector_instruction vector = {.length = 1};

        take_jump(follower, svma);
        note_shape(follower, svma);
        if (reader->capstone->next(reader->handle, &bytes, &left, &svma, reader->instruction)) {
            change(&follower->flow, reader->instruction);
            note_jump(follower, reader->instruction);
            follower->flow.is_known = follower->flow.is_known && goes_on(reader->instruction);
            follower->is_behind_call = reader->instruction->id == X86_INS_CALL;
            continue;
        }
        follower->is_behind_call = false;
        if (!vector_instruction_read((struct slice){(const char *)bytes, left}, &vector))
            follower->flow.is_known = false;
        bytes += vector.length;
        left -= vector.length;
        svma += vector.length;
    }
    follower->flow.is_known = false;
    note_shape(follower, svma);
}

/* Jumps that lead back tell of code that was passed without knowing: once more, while that makes more known.
 */
static void pass_again(struct follower *follower, struct x86_64_reader *reader)
{
    size_t before = SIZE_MAX;

    for (int i = 0; i < MOST_PASSES && follower->unknown_count > 0 && follower->unknown_count < before; i++) {
        before = follower->unknown_count;
        pass(follower, reader);
    }
}

static void follow(struct follower *follower, struct x86_64_reader *reader)
{
    pass(follower, reader);
    pass_again(follower, reader);
    follower->takes_table = follower->table.is_known;
    if (follower->takes_table)
        pass_again(follower, reader);
}

int frame_shapes_read(const struct code_bytes *function, struct frame_shapes *out, struct error *err)
{
    struct x86_64_reader reader;
    struct code_bytes part = *function;
    SCOPED(follower_done) struct follower follower = {.function = &part, .out = out};

    if (x86_64_load(&reader, err) < 0)
        return -1;
    part.bytes = slice_range(part.bytes, 0, FRAME_SHAPES_MOST_BYTES);
    follower.flow_at = memory_new(part.bytes.length + 1, sizeof(*follower.flow_at));
    follow(&follower, &reader);
    x86_64_close(&reader);
    return 0;
}

const struct frame_shape *frame_shapes_at(const struct frame_shapes *shapes, uint64_t svma)
{
    size_t low = SEARCH_AFTER(shapes->items.items, shapes->items.count, svma, svma);

    return low > 0 && shapes->items.items[low - 1].is_followed ? &shapes->items.items[low - 1] : NULL;
}

const struct frame_shape *frame_shapes_find(const struct frame_shapes *shapes, uint64_t svma)
{
    const struct frame_shape *shape = frame_shapes_at(shapes, svma);

    return shape && shape->is_known ? shape : NULL;
}
