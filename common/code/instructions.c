#include "code/instructions.h"

#include <elf.h>

#include "base/text.h"
#include "code/capstone.h"
#include "code/x86_64_text.h"

enum { AARCH64_BYTES = 4 };

/* One piece of code while it is read. */
struct reading {
    const struct capstone *capstone;
    csh handle;
    cs_insn *instruction;
    struct x86_64_reader x86_64; /* of code of that machine */
    uint16_t machine;
    enum instruction_syntax syntax;
    const uint8_t *bytes;
    size_t left;
    uint64_t svma;    /* of the next instruction */
    struct text text; /* scratch */
};

void instructions_done(struct instructions *instructions)
{
    vec_done(&instructions->items);
    arena_done(&instructions->arena);
}

static void reading_done(struct reading *reading)
{
    if (reading->instruction)
        reading->capstone->free_instructions(reading->instruction, 1);
    if (reading->handle)
        reading->capstone->close(&reading->handle);
    text_done(&reading->text);
}

static int begin(struct reading *reading, struct error *err)
{
    cs_arch arch = reading->machine == EM_X86_64 ? CS_ARCH_X86 : CS_ARCH_ARM64;
    cs_mode mode = reading->machine == EM_X86_64 ? CS_MODE_64 : CS_MODE_LITTLE_ENDIAN;

    if (!disassemble_knows(reading->machine))
        return error_set(err, ERROR_FORMAT, "code of this machine (ELF machine %u) is not read",
                         reading->machine);
    if (capstone_load(&reading->capstone, err) < 0 ||
        (reading->machine == EM_X86_64 && x86_64_load(&reading->x86_64, err) < 0))
        return -1;
    if (reading->capstone->open(arch, mode, &reading->handle) != CS_ERR_OK)
        return error_set(err, ERROR_MISSING, "capstone gives no disassembler for this machine");
    reading->capstone->option(reading->handle, CS_OPT_DETAIL, CS_OPT_ON);
    if (reading->syntax == SYNTAX_ATT && reading->machine == EM_X86_64)
        reading->capstone->option(reading->handle, CS_OPT_SYNTAX, CS_OPT_SYNTAX_ATT);
    reading->instruction = reading->capstone->new_instruction(reading->handle);
    if (!reading->instruction)
        return error_set(err, ERROR_MISSING, "capstone gives no room for an instruction");
    return 0;
}

static bool is_in_group(const cs_insn *instruction, uint8_t group)
{
    for (uint8_t i = 0; i < instruction->detail->groups_count; i++)
        if (instruction->detail->groups[i] == group)
            return true;
    return false;
}

static bool find_x86_64_target(const cs_insn *instruction, struct instruction *out)
{
    const cs_x86 *x86 = &instruction->detail->x86;
    const cs_x86_op *operand = &x86->operands[0];

    if (x86->op_count != 1)
        return false;
    if (operand->type == X86_OP_IMM) {
        out->target_svma = (uint64_t)operand->imm;
        return true;
    }
    out->is_indirect = operand->type == X86_OP_MEM && operand->mem.base == X86_REG_RIP &&
                       operand->mem.index == X86_REG_INVALID;
    out->target_svma = instruction->address + instruction->size + (uint64_t)operand->mem.disp;
    return out->is_indirect;
}

/* The last operand is the address: `tbz` has others before it. */
static bool find_aarch64_target(const cs_insn *instruction, struct instruction *out)
{
    const cs_arm64 *arm64 = &instruction->detail->arm64;

    if (arm64->op_count == 0 || arm64->op_count > ARRAY_COUNT(arm64->operands) ||
        arm64->operands[arm64->op_count - 1].type != ARM64_OP_IMM)
        return false;
    out->target_svma = (uint64_t)arm64->operands[arm64->op_count - 1].imm;
    return true;
}

static bool find_target(const struct reading *reading, const cs_insn *instruction, struct instruction *out)
{
    if (!is_in_group(instruction, CS_GRP_JUMP) && !is_in_group(instruction, CS_GRP_CALL) &&
        !is_in_group(instruction, CS_GRP_BRANCH_RELATIVE))
        return false;
    return reading->machine == EM_X86_64 ? find_x86_64_target(instruction, out)
                                         : find_aarch64_target(instruction, out);
}

static void add(struct reading *reading, uint64_t svma, size_t size_bytes, struct instructions *out)
{
    *vec_add(&out->items) = (struct instruction){
        .svma = svma,
        .size_bytes = (uint32_t)size_bytes,
        .text = arena_slice(&out->arena, text_slice(&reading->text)),
    };
}

static void add_known(struct reading *reading, struct instructions *out)
{
    const cs_insn *instruction = reading->instruction;
    struct instruction *added = NULL;

    text_clear(&reading->text);
    text_add_string(&reading->text, instruction->mnemonic);
    if (instruction->op_str[0] != '\0') {
        text_add_byte(&reading->text, ' ');
        text_add_string(&reading->text, instruction->op_str);
    }
    add(reading, instruction->address, instruction->size, out);
    added = &out->items.items[out->items.count - 1];
    added->has_target = find_target(reading, instruction, added);
}

static void skip(struct reading *reading, size_t length)
{
    reading->bytes += length;
    reading->left -= length;
    reading->svma += length;
}

/* False when it is none. */
static bool add_by_zydis(struct reading *reading, struct instructions *out)
{
    struct code_bytes code = {{(const char *)reading->bytes, reading->left}, reading->svma};

    if (reading->machine != EM_X86_64 || !x86_64_next(&reading->x86_64, &code))
        return false;
    x86_64_text_write(&reading->x86_64, reading->syntax, &reading->text);
    add(reading, reading->svma, code.svma - reading->svma, out);
    skip(reading, code.svma - reading->svma);
    return true;
}

static bool add_by_capstone(struct reading *reading, struct instructions *out)
{
    const struct slice code = {(const char *)reading->bytes, reading->left};

    if ((reading->machine == EM_X86_64 && x86_64_text_is_ours(code)) ||
        !reading->capstone->next(reading->handle, &reading->bytes, &reading->left, &reading->svma,
                                 reading->instruction))
        return false;
    add_known(reading, out);
    return true;
}

/* A byte of x86-64, a word of AArch64. */
static void add_bytes(struct reading *reading, struct instructions *out)
{
    size_t length = reading->machine == EM_X86_64 ? 1 : AARCH64_BYTES;

    if (length > reading->left)
        length = reading->left;
    text_clear(&reading->text);
    for (size_t i = 0; i < length; i++)
        text_format(&reading->text, "%s0x%02x", i > 0 ? ", " : ".byte ", reading->bytes[i]);
    add(reading, reading->svma, length, out);
    skip(reading, length);
}

int instructions_read(uint16_t machine, const struct code_bytes *code, enum instruction_syntax syntax,
                      struct instructions *out, struct error *err)
{
    SCOPED(reading_done)
    struct reading reading = {
        .machine = machine,
        .syntax = syntax,
        .bytes = (const uint8_t *)code->bytes.data,
        .left = code->bytes.length,
        .svma = code->svma,
    };

    if (begin(&reading, err) < 0)
        return -1;
    while (reading.left > 0)
        if (!add_by_capstone(&reading, out) && !add_by_zydis(&reading, out))
            add_bytes(&reading, out);
    return 0;
}
