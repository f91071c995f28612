#include "code/frame_state.h"

#include "base/compiler.h"
#include "code/x86_64.h"

enum {
    WORD = 8,
    WORD_BITS = 64,
    LARGEST_FRAME = 1 << 28,
};

/* --- Registers ------------------------------------------------------------------------------------------ */

/* DWARF numbers plus 1. */
#define PARTS(number, r, e, x, l)                                                                            \
    [ZYDIS_REGISTER_##r] = (number) + 1, [ZYDIS_REGISTER_##e] = (number) + 1,                                \
    [ZYDIS_REGISTER_##x] = (number) + 1, [ZYDIS_REGISTER_##l] = (number) + 1
#define NUMBERED(n) PARTS(n, R##n, R##n##D, R##n##W, R##n##B)

/* The general registers, also by their parts; 0: another one. */
static const uint8_t numbers[ZYDIS_REGISTER_MAX_VALUE + 1] = {
    PARTS(0, RAX, EAX, AX, AL),
    PARTS(1, RDX, EDX, DX, DL),
    PARTS(2, RCX, ECX, CX, CL),
    PARTS(FRAME_RBX, RBX, EBX, BX, BL),
    PARTS(4, RSI, ESI, SI, SIL),
    PARTS(5, RDI, EDI, DI, DIL),
    PARTS(FRAME_RBP, RBP, EBP, BP, BPL),
    PARTS(FRAME_RSP, RSP, ESP, SP, SPL),
    NUMBERED(8),
    NUMBERED(9),
    NUMBERED(10),
    NUMBERED(11),
    NUMBERED(12),
    NUMBERED(13),
    NUMBERED(14),
    NUMBERED(15),
    [ZYDIS_REGISTER_AH] = 0 + 1,
    [ZYDIS_REGISTER_DH] = 1 + 1,
    [ZYDIS_REGISTER_CH] = 2 + 1,
    [ZYDIS_REGISTER_BH] = FRAME_RBX + 1,
};

/* -1: another one. */
static int number_of(ZydisRegister reg)
{
    return (unsigned)reg < ARRAY_COUNT(numbers) ? numbers[reg] - 1 : -1;
}

/* The number of the whole register that the operand is; -1: it is something else. */
static int whole_register(const ZydisDecodedOperand *operand)
{
    return operand->type == ZYDIS_OPERAND_TYPE_REGISTER && operand->size == WORD_BITS
               ? number_of(operand->reg.value)
               : -1;
}

static bool is_same_place(struct frame_place a, struct frame_place b)
{
    return a.base != FRAME_NOWHERE && a.base == b.base && a.offset == b.offset;
}

static struct frame_place move_place(struct frame_place place, int64_t by)
{
    int64_t offset = 0;

    if (place.base == FRAME_NOWHERE || by <= -LARGEST_FRAME || by >= LARGEST_FRAME)
        return (struct frame_place){0};
    offset = place.offset + by;
    if (offset <= -LARGEST_FRAME || offset >= LARGEST_FRAME)
        return (struct frame_place){0};
    return (struct frame_place){place.base, (int32_t)offset};
}

/* FRAME_FOLLOWED: another one. */
static int followed(int number)
{
    return number == FRAME_RBP ? FRAME_POINTER : number == FRAME_RBX ? BASE_POINTER : FRAME_FOLLOWED;
}

/* Something is written to a register, -1 for none that counts. No frame begins above its CFA. */
static void set(struct frame_state *state, int number, struct frame_place place)
{
    int index = followed(number);

    if (number < 0)
        return;
    if (index < FRAME_FOLLOWED && state->callers[index].saved == FRAME_IN_REGISTER)
        state->callers[index].saved = FRAME_LOST;
    if ((number == FRAME_RSP || number == FRAME_RBP) && place.base == FRAME_CFA && place.offset > 0)
        place = (struct frame_place){0};
    state->registers[number] = place;
}

static void overwrite(struct frame_state *state, int number)
{
    set(state, number, (struct frame_place){0});
}

static void overwrite_all(struct frame_state *state, const struct x86_64_instruction *instruction)
{
    for (uint8_t i = 0; i < instruction->info.operand_count; i++)
        if (instruction->operands[i].type == ZYDIS_OPERAND_TYPE_REGISTER &&
            (instruction->operands[i].actions & ZYDIS_OPERAND_ACTION_MASK_WRITE))
            overwrite(state, number_of(instruction->operands[i].reg.value));
}

/* --- Memory --------------------------------------------------------------------------------------------- */

/* The address of the operand in memory, as far as it is one of the frame's. */
static struct frame_place address_of(const struct frame_state *state, const ZydisDecodedOperand *operand)
{
    int number = x86_64_is_by_one_register(operand) ? number_of(operand->mem.base) : -1;

    return number >= 0 ? move_place(state->registers[number], operand->mem.disp.value)
                       : (struct frame_place){0};
}

/* Whether an address tells the CFA when it is read back. */
static bool is_worth_home(struct frame_place address)
{
    return address.base == FRAME_CFA && address.offset <= 0 && address.offset % WORD == 0;
}

/* A caller's value is that of its register before anything else was written there. */
static void store(struct frame_state *state, int number, struct frame_place to)
{
    int index = followed(number);

    if (to.base == FRAME_NOWHERE)
        return;
    if (index < FRAME_FOLLOWED && state->callers[index].saved == FRAME_IN_REGISTER &&
        (to.base != FRAME_CFA || to.offset < 0))
        state->callers[index] = (struct frame_callers_value){FRAME_STORED, to};
    if (is_same_place(state->home, to))
        state->home = (struct frame_place){0};
    if (number >= 0 && to.base == FRAME_ALIGNED && state->home.base == FRAME_NOWHERE &&
        is_worth_home(state->registers[number])) {
        state->home = to;
        state->at_home = state->registers[number];
    }
}

static void load(struct frame_state *state, int number, struct frame_place from)
{
    int index = followed(number);
    bool is_back = index < FRAME_FOLLOWED && state->callers[index].saved == FRAME_STORED &&
                   is_same_place(state->callers[index].place, from);

    set(state, number, is_same_place(state->home, from) ? state->at_home : (struct frame_place){0});
    if (is_back)
        state->callers[index] = (struct frame_callers_value){0};
}

/* --- Instructions --------------------------------------------------------------------------------------- */

static void move_stack_pointer(struct frame_state *state, int64_t by)
{
    set(state, FRAME_RSP, move_place(state->registers[FRAME_RSP], by));
}

static int64_t pushed_bytes(const ZydisDecodedOperand *operand)
{
    enum { SHORT_BITS = 16 };

    return operand && operand->size == SHORT_BITS ? SHORT_BITS / 8 : WORD;
}

static void push(struct frame_state *state, const ZydisDecodedOperand *operand)
{
    move_stack_pointer(state, -pushed_bytes(operand));
    store(state, operand ? whole_register(operand) : -1, state->registers[FRAME_RSP]);
}

static void pop(struct frame_state *state, const ZydisDecodedOperand *operand)
{
    struct frame_place from = state->registers[FRAME_RSP];

    move_stack_pointer(state, pushed_bytes(operand));
    if (operand && whole_register(operand) >= 0)
        load(state, whole_register(operand), from);
    else if (operand && operand->type == ZYDIS_OPERAND_TYPE_REGISTER)
        overwrite(state, number_of(operand->reg.value));
}

static void leave(struct frame_state *state)
{
    struct frame_place from = state->registers[FRAME_RBP];

    set(state, FRAME_RSP, move_place(from, WORD));
    load(state, FRAME_RBP, from);
}

/* Whether the register may be set to an address that another one holds: data's is not a frame's pointer. */
static bool is_frame_pointer_from(int to, int from)
{
    return to != FRAME_RBP || from == FRAME_RSP || from == FRAME_RBP;
}

static void move(struct frame_state *state, const struct x86_64_instruction *instruction)
{
    const ZydisDecodedOperand *to = &instruction->operands[0];
    const ZydisDecodedOperand *from = &instruction->operands[1];
    int number = whole_register(to);

    if (number >= 0 && whole_register(from) >= 0 && is_frame_pointer_from(number, whole_register(from)))
        set(state, number, state->registers[whole_register(from)]);
    else if (number >= 0 && from->type == ZYDIS_OPERAND_TYPE_MEMORY)
        load(state, number, address_of(state, from));
    else if (to->type == ZYDIS_OPERAND_TYPE_MEMORY)
        store(state, whole_register(from), address_of(state, to));
    else
        overwrite_all(state, instruction);
}

static void load_address(struct frame_state *state, const struct x86_64_instruction *instruction)
{
    const ZydisDecodedOperand *from = &instruction->operands[1];
    int number = whole_register(&instruction->operands[0]);

    if (number >= 0 && is_frame_pointer_from(number, number_of(from->mem.base)))
        set(state, number, address_of(state, from));
    else
        overwrite_all(state, instruction);
}

/* A frame pointer to which something is added goes through data from here on. */
static void add(struct frame_state *state, const struct x86_64_instruction *instruction, int sign)
{
    const ZydisDecodedOperand *by = &instruction->operands[1];
    int number = whole_register(&instruction->operands[0]);

    if (number >= 0 && number != FRAME_RBP && by->type == ZYDIS_OPERAND_TYPE_IMMEDIATE &&
        by->imm.value.s > -LARGEST_FRAME)
        set(state, number, move_place(state->registers[number], sign * by->imm.value.s));
    else
        overwrite_all(state, instruction);
}

static void forget_aligned_value(struct frame_callers_value *value)
{
    if (value->saved == FRAME_STORED && value->place.base == FRAME_ALIGNED)
        value->saved = FRAME_LOST;
}

/* From here on places are told from where the stack pointer is now, those from before as well as can be. */
static void begin_aligned(struct frame_state *state)
{
    for (size_t i = 0; i < FRAME_REGISTERS; i++)
        if (state->registers[i].base == FRAME_ALIGNED)
            overwrite(state, (int)i);
    forget_aligned_value(&state->callers[FRAME_POINTER]);
    forget_aligned_value(&state->callers[BASE_POINTER]);
    state->home = (struct frame_place){0};
    state->registers[FRAME_RSP] = (struct frame_place){.base = FRAME_ALIGNED};
}

static void align(struct frame_state *state, const struct x86_64_instruction *instruction)
{
    const ZydisDecodedOperand *to = &instruction->operands[0];
    const ZydisDecodedOperand *by = &instruction->operands[1];

    if (whole_register(to) == FRAME_RSP && by->type == ZYDIS_OPERAND_TYPE_IMMEDIATE && by->imm.value.s < 0 &&
        state->registers[FRAME_RSP].base == FRAME_CFA)
        begin_aligned(state);
    else
        overwrite_all(state, instruction);
}

/* What a call may change (System V x86-64 ABI, 3.2.1). One to what comes next is how code asks where it is.
 */
static void call(struct frame_state *state, const struct x86_64_instruction *instruction)
{
    static const uint8_t changed[] = {0, 1, 2, 4, 5, 8, 9, 10, 11};
    uint64_t target = 0;

    if (x86_64_target(instruction, &target) && target == instruction->svma + instruction->info.length) {
        push(state, NULL);
        return;
    }
    for (size_t i = 0; i < ARRAY_COUNT(changed); i++)
        overwrite(state, changed[i]);
}

void frame_state_change(struct frame_state *state, const struct x86_64_instruction *instruction)
{
    const ZydisDecodedOperand *operand = instruction->visible_count > 0 ? &instruction->operands[0] : NULL;

    switch (instruction->info.mnemonic) {
    case ZYDIS_MNEMONIC_PUSH:
    case ZYDIS_MNEMONIC_PUSHFQ:
        push(state, operand);
        break;
    case ZYDIS_MNEMONIC_POP:
    case ZYDIS_MNEMONIC_POPFQ:
        pop(state, operand);
        break;
    case ZYDIS_MNEMONIC_CALL:
        call(state, instruction);
        break;
    case ZYDIS_MNEMONIC_LEAVE:
        leave(state);
        break;
    case ZYDIS_MNEMONIC_ENTER:
        overwrite(state, FRAME_RSP);
        overwrite(state, FRAME_RBP);
        break;
    case ZYDIS_MNEMONIC_MOV:
        move(state, instruction);
        break;
    case ZYDIS_MNEMONIC_LEA:
        load_address(state, instruction);
        break;
    case ZYDIS_MNEMONIC_ADD:
        add(state, instruction, 1);
        break;
    case ZYDIS_MNEMONIC_SUB:
        add(state, instruction, -1);
        break;
    case ZYDIS_MNEMONIC_AND:
        align(state, instruction);
        break;
    default:
        overwrite_all(state, instruction);
    }
}

struct frame_state frame_state_at_start(void)
{
    struct frame_state state = {0};

    state.registers[FRAME_RSP] = (struct frame_place){FRAME_CFA, -WORD};
    return state;
}

bool frame_state_is_as_at_start(const struct frame_state *state)
{
    return is_same_place(state->registers[FRAME_RSP], (struct frame_place){FRAME_CFA, -WORD});
}

int frame_state_compared(const struct x86_64_instruction *instruction)
{
    bool compares = instruction->info.mnemonic == ZYDIS_MNEMONIC_CMP;
    int left = compares ? whole_register(&instruction->operands[0]) : -1;
    int right = compares ? whole_register(&instruction->operands[1]) : -1;

    return left == FRAME_RSP ? right : right == FRAME_RSP ? left : -1;
}

void frame_state_set_stack_pointer(struct frame_state *state, struct frame_place place)
{
    set(state, FRAME_RSP, place);
}
