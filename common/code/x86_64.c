#include "code/x86_64.h"

#include <string.h>

#include "code/vector_instruction.h"

enum { LONGEST_INSTRUCTION = 15, DISPLACEMENT_BYTES = 4 };

bool x86_64_open(const struct capstone *capstone, struct x86_64_reader *out)
{
    struct x86_64_reader reader = {.capstone = capstone};

    if (capstone->open(CS_ARCH_X86, CS_MODE_64, &reader.handle) != CS_ERR_OK)
        return false;
    capstone->option(reader.handle, CS_OPT_DETAIL, CS_OPT_ON);
    reader.instruction = capstone->new_instruction(reader.handle);
    *out = reader;
    if (reader.instruction)
        return true;
    x86_64_close(out);
    return false;
}

int x86_64_load(struct x86_64_reader *out, struct error *err)
{
    const struct capstone *capstone = NULL;

    if (capstone_load(&capstone, err) < 0)
        return -1;
    if (!x86_64_open(capstone, out))
        return error_set(err, ERROR_MISSING, "capstone gives no disassembler for x86-64");
    return 0;
}

bool x86_64_is_in_group(const cs_insn *instruction, uint8_t group)
{
    for (uint8_t i = 0; i < instruction->detail->groups_count; i++)
        if (instruction->detail->groups[i] == group)
            return true;
    return false;
}

bool x86_64_goes_on(const cs_insn *instruction)
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

void x86_64_close(struct x86_64_reader *reader)
{
    if (reader->instruction)
        reader->capstone->free_instructions(reader->instruction, 1);
    reader->capstone->close(&reader->handle);
    *reader = (struct x86_64_reader){0};
}

static bool is_target(const struct disassemble_request *request, uint64_t svma)
{
    return svma >= request->targets_start && svma < request->targets_end;
}

/*
 * Whether the bytes behind `at` can be the displacement of an operand relative to RIP that leads to a target.
 * It comes behind a ModRM byte of mod 0 and r/m 5, and up to 4 bytes of an immediate operand may follow.
 */
static bool may_refer(const struct disassemble_request *request, const struct code_bytes *code, size_t at)
{
    int32_t displacement = 0;
    uint64_t target = 0;

    if (((uint8_t)code->bytes.data[at] & 0xc7) != 0x05)
        return false;
    memcpy(&displacement, code->bytes.data + at + 1, sizeof(displacement));
    target = code->svma + at + 1 + DISPLACEMENT_BYTES + (uint64_t)(int64_t)displacement;
    return target + DISPLACEMENT_BYTES >= request->targets_start && target < request->targets_end;
}

/* How much of the code has to be taken apart: behind that nothing can refer to a target. */
static size_t length_of_interest(const struct disassemble_request *request, const struct code_bytes *code)
{
    size_t length = code->bytes.length;

    if (request->takes_absolute)
        return length;
    for (size_t at = length > DISPLACEMENT_BYTES ? length - DISPLACEMENT_BYTES : 0; at-- > 0;)
        if (may_refer(request, code, at))
            return length - at < LONGEST_INSTRUCTION ? length : at + LONGEST_INSTRUCTION;
    return 0;
}

static void refer(const struct disassemble_request *request, const cs_insn *instruction, uint64_t target,
                  bool is_absolute, struct code_references *out)
{
    if (is_target(request, target))
        *vec_add(&out->items) = (struct code_reference){instruction->address, target, is_absolute};
}

/* Numbers of jumps and calls are code's addresses, which are no targets. */
static void read_operands(const struct disassemble_request *request, const cs_insn *instruction,
                          struct code_references *out)
{
    const cs_x86 *detail = &instruction->detail->x86;

    for (uint8_t i = 0; i < detail->op_count && i < ARRAY_COUNT(detail->operands); i++) {
        const cs_x86_op *operand = &detail->operands[i];

        if (operand->type == X86_OP_MEM && operand->mem.base == X86_REG_RIP)
            refer(request, instruction,
                  instruction->address + instruction->size + (uint64_t)operand->mem.disp, false, out);
        else if (operand->type == X86_OP_MEM && request->takes_absolute)
            refer(request, instruction, (uint64_t)operand->mem.disp, true, out);
        else if (operand->type == X86_OP_IMM && request->takes_absolute)
            refer(request, instruction, (uint64_t)operand->imm, true, out);
    }
}

/* The length of an instruction that capstone does not know; 1 when we do not either. */
static size_t read_unknown(const struct disassemble_request *request, struct slice bytes, uint64_t svma,
                           struct code_references *out)
{
    struct vector_instruction found;
    uint64_t target = 0;

    if (!vector_instruction_read(bytes, &found))
        return 1;
    target = svma + found.length + (uint64_t)(int64_t)found.displacement;
    if (found.is_relative && is_target(request, target))
        *vec_add(&out->items) = (struct code_reference){svma, target, false};
    return found.length;
}

void x86_64_references(struct x86_64_reader *reader, const struct disassemble_request *request,
                       const struct code_bytes *code, struct code_references *out)
{
    const uint8_t *bytes = (const uint8_t *)code->bytes.data;
    size_t left = length_of_interest(request, code);
    uint64_t svma = code->svma;
    size_t skipped = 0;

    while (left > 0) {
        if (reader->capstone->next(reader->handle, &bytes, &left, &svma, reader->instruction)) {
            read_operands(request, reader->instruction, out);
            continue;
        }
        skipped = read_unknown(request, (struct slice){(const char *)bytes, left}, svma, out);
        bytes += skipped;
        left -= skipped;
        svma += skipped;
    }
}
