#include "code/x86_64.h"

#include <string.h>

enum { LONGEST_INSTRUCTION = 15, DISPLACEMENT_BYTES = 4, OPERANDS_ASKED = 2 };

int x86_64_load(struct x86_64_reader *out, struct error *err)
{
    if (zydis_load(err) < 0)
        return -1;
    out->decoder = zydis_decoder();
    return 0;
}

void x86_64_skip(struct code_bytes *code, size_t byte_count)
{
    if (byte_count > code->bytes.length)
        byte_count = code->bytes.length;
    code->bytes = slice_range(code->bytes, byte_count, code->bytes.length);
    code->svma += byte_count;
}

bool x86_64_next(struct x86_64_reader *reader, struct code_bytes *code)
{
    struct x86_64_instruction *instruction = &reader->instruction;

    if (!zydis_read(&reader->decoder, code->bytes, &instruction->info, instruction->operands,
                    &instruction->visible_count))
        return false;
    for (size_t i = instruction->info.operand_count; i < OPERANDS_ASKED; i++)
        instruction->operands[i] = (ZydisDecodedOperand){0};
    instruction->svma = code->svma;
    x86_64_skip(code, instruction->info.length);
    return true;
}

/* --- What an instruction does --------------------------------------------------------------------------- */

bool x86_64_jumps(const struct x86_64_instruction *instruction)
{
    return (instruction->info.meta.category == ZYDIS_CATEGORY_COND_BR ||
            instruction->info.meta.category == ZYDIS_CATEGORY_UNCOND_BR) &&
           instruction->info.meta.branch_type != ZYDIS_BRANCH_TYPE_NONE;
}

bool x86_64_goes_on(const struct x86_64_instruction *instruction)
{
    switch (instruction->info.mnemonic) {
    case ZYDIS_MNEMONIC_JMP:
    case ZYDIS_MNEMONIC_UD0:
    case ZYDIS_MNEMONIC_UD1:
    case ZYDIS_MNEMONIC_UD2:
    case ZYDIS_MNEMONIC_INT3:
    case ZYDIS_MNEMONIC_HLT:
        return false;
    default:
        return instruction->info.meta.category != ZYDIS_CATEGORY_RET;
    }
}

bool x86_64_target(const struct x86_64_instruction *instruction, uint64_t *svma)
{
    const ZydisDecodedOperand *operand = &instruction->operands[0];

    if (operand->type != ZYDIS_OPERAND_TYPE_IMMEDIATE || !operand->imm.is_relative)
        return false;
    *svma = instruction->svma + instruction->info.length + operand->imm.value.u;
    return true;
}

bool x86_64_is_register(const ZydisDecodedOperand *operand, ZydisRegister reg)
{
    return operand->type == ZYDIS_OPERAND_TYPE_REGISTER && operand->reg.value == reg;
}

bool x86_64_is_by_one_register(const ZydisDecodedOperand *operand)
{
    return operand->type == ZYDIS_OPERAND_TYPE_MEMORY && operand->mem.base != ZYDIS_REGISTER_NONE &&
           operand->mem.index == ZYDIS_REGISTER_NONE && operand->mem.segment != ZYDIS_REGISTER_FS &&
           operand->mem.segment != ZYDIS_REGISTER_GS;
}

/* --- References ----------------------------------------------------------------------------------------- */

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

static void refer(const struct disassemble_request *request, uint64_t svma, uint64_t target, bool is_absolute,
                  struct code_references *out)
{
    if (is_target(request, target))
        *vec_add(&out->items) = (struct code_reference){svma, target, is_absolute};
}

static bool is_relative_to_next(const ZydisDecodedInstruction *info)
{
    enum { DISPLACEMENT_ALONE = 0, RIP = 5 };

    return (info->attributes & ZYDIS_ATTRIB_IS_RELATIVE) && (info->attributes & ZYDIS_ATTRIB_HAS_MODRM) &&
           info->raw.modrm.mod == DISPLACEMENT_ALONE && info->raw.modrm.rm == RIP;
}

/* Numbers of jumps and calls are code's addresses, which are no targets. */
static void read_numbers(const struct disassemble_request *request, const ZydisDecodedInstruction *info,
                         uint64_t svma, struct code_references *out)
{
    if (info->raw.disp.size > 0 && !is_relative_to_next(info))
        refer(request, svma, (uint64_t)info->raw.disp.value, true, out);
    for (size_t i = 0; i < ARRAY_COUNT(info->raw.imm); i++)
        if (info->raw.imm[i].size > 0 && !info->raw.imm[i].is_relative)
            refer(request, svma, info->raw.imm[i].value.u, true, out);
}

void x86_64_references(const struct disassemble_request *request, const struct code_bytes *code,
                       struct code_references *out)
{
    const ZydisDecoder decoder = zydis_decoder_of_numbers();
    ZydisDecodedInstruction info;
    struct code_bytes left = *code;

    left.bytes = slice_range(left.bytes, 0, length_of_interest(request, code));
    while (left.bytes.length > 0) {
        uint64_t svma = left.svma;

        if (!zydis_read_info(&decoder, left.bytes, &info)) {
            x86_64_skip(&left, 1);
            continue;
        }
        x86_64_skip(&left, info.length);
        if (is_relative_to_next(&info))
            refer(request, svma, left.svma + (uint64_t)info.raw.disp.value, false, out);
        if (request->takes_absolute)
            read_numbers(request, &info, svma, out);
    }
}
