#include "code/return_path.h"

#include "base/vec.h"
#include "code/frame_shapes.h"

enum { WORD = 8, LARGEST_FRAME = 1 << 20 };

/* A number that a register holds, by what it was at the address. */
struct value {
    enum { VALUE_LOST, VALUE_BY_SP, VALUE_BY_FP, VALUE_STORED_BY_SP, VALUE_STORED_BY_FP } kind;
    int32_t offset; /* to be added; of what is stored, to the address that it is at */
};

/* What is known on a path before an instruction. */
struct state {
    uint64_t svma;
    struct value sp; /* VALUE_BY_SP or VALUE_BY_FP */
    struct value fp;
    struct value pushed_fp; /* where the frame pointer was pushed on this path, as it was at the address */
};

struct search {
    struct x86_64_reader *reader;
    const struct code_bytes *code;
    VEC(struct state) left; /* paths to follow, the last one next */
    uint8_t seen[RETURN_PATH_MOST_BYTES];
    unsigned count; /* of instructions */
    bool is_over;   /* a return was found: others of the function leave the same frame */
    bool is_told;   /* and where the CFA is there */
    struct return_path path;
};

static void search_done(struct search *search)
{
    vec_done(&search->left);
}

/* --- Instructions --------------------------------------------------------------------------------------- */

static struct value moved(struct value value, int64_t by)
{
    int64_t offset = value.offset + by;

    if (value.kind == VALUE_LOST || by < -LARGEST_FRAME || by > LARGEST_FRAME || offset < -LARGEST_FRAME ||
        offset > LARGEST_FRAME)
        return (struct value){0};
    return (struct value){value.kind, (int32_t)offset};
}

static bool is_same(struct value a, struct value b)
{
    return a.kind == b.kind && a.kind != VALUE_LOST && a.offset == b.offset;
}

/* What is stored where `at` tells. Only the frame pointer is followed there. */
static struct value load(const struct state *state, struct value at)
{
    if (is_same(at, state->pushed_fp))
        return (struct value){VALUE_BY_FP, 0};
    if (at.kind == VALUE_BY_SP && at.offset >= 0)
        return (struct value){VALUE_STORED_BY_SP, at.offset};
    return at.kind == VALUE_BY_FP ? (struct value){VALUE_STORED_BY_FP, at.offset} : (struct value){0};
}

static struct value value_of(const struct state *state, ZydisRegister reg)
{
    if (reg == ZYDIS_REGISTER_RSP)
        return state->sp;
    return reg == ZYDIS_REGISTER_RBP ? state->fp : (struct value){0};
}

/* The address of an operand in memory, as far as it is one of the stack's. */
static struct value address_of(const struct state *state, const ZydisDecodedOperand *operand)
{
    if (!x86_64_is_by_one_register(operand))
        return (struct value){0};
    return moved(value_of(state, operand->mem.base), operand->mem.disp.value);
}

/* What the instruction sets its first operand to, a whole register. */
static struct value result_of(const struct state *state, const struct x86_64_instruction *instruction)
{
    const ZydisDecodedOperand *to = &instruction->operands[0];
    const ZydisDecodedOperand *from = &instruction->operands[1];

    switch (instruction->info.mnemonic) {
    case ZYDIS_MNEMONIC_ADD:
        return from->type == ZYDIS_OPERAND_TYPE_IMMEDIATE
                   ? moved(value_of(state, to->reg.value), from->imm.value.s)
                   : (struct value){0};
    case ZYDIS_MNEMONIC_SUB:
        return from->type == ZYDIS_OPERAND_TYPE_IMMEDIATE
                   ? moved(value_of(state, to->reg.value), -from->imm.value.s)
                   : (struct value){0};
    case ZYDIS_MNEMONIC_LEA:
        return address_of(state, from);
    case ZYDIS_MNEMONIC_MOV:
        return from->type == ZYDIS_OPERAND_TYPE_REGISTER ? value_of(state, from->reg.value)
                                                         : load(state, address_of(state, from));
    default:
        return (struct value){0};
    }
}

static bool writes(const struct x86_64_instruction *instruction, ZydisRegister reg, ZydisRegister part)
{
    for (uint8_t i = 0; i < instruction->info.operand_count; i++) {
        const ZydisDecodedOperand *operand = &instruction->operands[i];

        if ((operand->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) &&
            (x86_64_is_register(operand, reg) || x86_64_is_register(operand, part)))
            return true;
    }
    return false;
}

static void push(struct state *state, const struct x86_64_instruction *instruction)
{
    const ZydisDecodedOperand *what = &instruction->operands[0];
    bool is_fp = instruction->info.mnemonic == ZYDIS_MNEMONIC_PUSH &&
                 x86_64_is_register(what, ZYDIS_REGISTER_RBP) && state->fp.kind == VALUE_BY_FP &&
                 state->fp.offset == 0;

    state->sp = moved(state->sp, -WORD);
    if (is_fp)
        state->pushed_fp = state->sp;
    else if (is_same(state->pushed_fp, state->sp))
        state->pushed_fp = (struct value){0};
}

static void pop(struct state *state, const struct x86_64_instruction *instruction)
{
    const ZydisDecodedOperand *to = &instruction->operands[0];
    struct value popped = load(state, state->sp);

    state->sp = moved(state->sp, WORD);
    if (instruction->info.mnemonic != ZYDIS_MNEMONIC_POP)
        return;
    if (x86_64_is_register(to, ZYDIS_REGISTER_RBP))
        state->fp = popped;
    else if (x86_64_is_register(to, ZYDIS_REGISTER_RSP))
        state->sp = (struct value){0};
}

/* The stack pointer and the frame pointer behind the instruction. */
static void change(struct state *state, const struct x86_64_instruction *instruction)
{
    bool sets_sp = writes(instruction, ZYDIS_REGISTER_RSP, ZYDIS_REGISTER_ESP);
    bool sets_fp = writes(instruction, ZYDIS_REGISTER_RBP, ZYDIS_REGISTER_EBP);

    switch (instruction->info.mnemonic) {
    case ZYDIS_MNEMONIC_CALL:
        return;
    case ZYDIS_MNEMONIC_PUSH:
    case ZYDIS_MNEMONIC_PUSHFQ:
        push(state, instruction);
        return;
    case ZYDIS_MNEMONIC_POP:
    case ZYDIS_MNEMONIC_POPFQ:
        pop(state, instruction);
        return;
    case ZYDIS_MNEMONIC_LEAVE:
        state->sp = moved(state->fp, WORD);
        state->fp = load(state, state->fp);
        return;
    case ZYDIS_MNEMONIC_ENTER:
    case ZYDIS_MNEMONIC_XCHG:
        if (instruction->info.mnemonic == ZYDIS_MNEMONIC_ENTER || sets_sp)
            state->sp = (struct value){0};
        if (sets_fp)
            state->fp = (struct value){0};
        return;
    default:
        break;
    }
    if (sets_sp)
        state->sp = result_of(state, instruction);
    else if (sets_fp)
        state->fp = result_of(state, instruction);
}

/* --- Paths ---------------------------------------------------------------------------------------------- */

static void add_path(struct search *search, struct state state, uint64_t svma)
{
    state.svma = svma;
    if (svma - search->code->svma < search->code->bytes.length)
        *vec_add(&search->left) = state;
}

static void tell(struct search *search, const struct state *state)
{
    struct return_path *out = &search->path;
    bool is_by_sp = state->sp.kind == VALUE_BY_SP;
    int32_t cfa_offset = state->sp.offset + WORD;
    bool is_stored = state->fp.kind == (is_by_sp ? VALUE_STORED_BY_SP : VALUE_STORED_BY_FP);

    search->is_told = is_by_sp ? state->sp.offset >= 0 : state->sp.kind == VALUE_BY_FP;
    *out = (struct return_path){.cfa_register = is_by_sp ? FRAME_RSP : FRAME_RBP, .cfa_offset = cfa_offset};
    out->frame.kind = CALLER_LOST;
    if (state->fp.kind == VALUE_BY_FP && state->fp.offset == 0)
        out->frame.kind = CALLER_HAS_SAME;
    else if (is_stored && state->fp.offset < cfa_offset - WORD) {
        out->frame.kind = CALLER_STORED;
        out->frame.offset = state->fp.offset - cfa_offset;
    }
}

/* A return that takes arguments with it leaves more than the frame. */
static void end_with_return(struct search *search, const struct state *state,
                            const struct x86_64_instruction *instruction)
{
    search->is_over = true;
    if (instruction->info.mnemonic == ZYDIS_MNEMONIC_RET && instruction->visible_count == 0)
        tell(search, state);
}

/* Whether the path goes on with the next instruction. */
static bool follow(struct search *search, struct state *state, const struct x86_64_instruction *instruction)
{
    uint64_t target = 0;

    if (x86_64_jumps(instruction) && x86_64_target(instruction, &target))
        add_path(search, *state, target);
    if (x86_64_goes_on(instruction))
        return true;
    if (instruction->info.meta.category == ZYDIS_CATEGORY_RET)
        end_with_return(search, state, instruction);
    return false;
}

/* Follows one path until it returns, or to where nothing is known or another one was before. */
static void follow_path(struct search *search, struct state state)
{
    const struct code_bytes *code = search->code;
    struct code_bytes rest = *code;

    x86_64_skip(&rest, state.svma - code->svma);
    while (search->count++ < RETURN_PATH_MOST_INSTRUCTIONS && rest.bytes.length > 0 &&
           !search->seen[rest.svma - code->svma]) {
        search->seen[rest.svma - code->svma] = 1;
        if (!x86_64_next(search->reader, &rest) || !follow(search, &state, &search->reader->instruction))
            return;
        change(&state, &search->reader->instruction);
    }
}

bool return_path_find(struct x86_64_reader *reader, const struct code_bytes *code, uint64_t from_svma,
                      struct return_path *out)
{
    struct code_bytes part = *code;
    SCOPED(search_done) struct search search = {.reader = reader, .code = &part};

    part.bytes = slice_range(part.bytes, 0, sizeof(search.seen));
    add_path(&search, (struct state){.sp = {VALUE_BY_SP, 0}, .fp = {VALUE_BY_FP, 0}}, from_svma);
    while (search.left.count > 0 && !search.is_over && search.count < RETURN_PATH_MOST_INSTRUCTIONS)
        follow_path(&search, search.left.items[--search.left.count]);
    if (search.is_told)
        *out = search.path;
    return search.is_told;
}
