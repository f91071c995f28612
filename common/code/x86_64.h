/* Instructions of x86-64, one after the other, and what they refer to: taken apart by Zydis. */
#ifndef CODE_X86_64_H
#define CODE_X86_64_H

#include "code/disassemble.h"
#include "code/zydis.h"

struct x86_64_instruction {
    uint64_t svma;
    ZydisDecodedInstruction info;
    /* info.operand_count, the visible ones first; the two first can be asked in any case. */
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
    uint8_t visible_count; /* of those that are written out */
};

/* For one thread. */
struct x86_64_reader {
    ZydisDecoder decoder;
    struct x86_64_instruction instruction; /* the last that was read */
};

/* Returns 0, or -1 with ERROR_MISSING: Zydis is not installed. */
MUST_CHECK int x86_64_load(struct x86_64_reader *out, struct error *err);

/* Reads the instruction that the code begins with, and takes it off the code. False when it is none, or cut:
 * the code is as it was, and no instruction was read. */
bool x86_64_next(struct x86_64_reader *reader, struct code_bytes *code);

/* Takes so many bytes off the code, at most all that it has. */
void x86_64_skip(struct code_bytes *code, size_t byte_count);

/* Whether it jumps, always or perhaps. */
bool x86_64_jumps(const struct x86_64_instruction *instruction);

/* Whether the next instruction is reached from this one, as after a call that returns. */
bool x86_64_goes_on(const struct x86_64_instruction *instruction);

/* Where it jumps to, or what it calls, as far as it says so itself: not through a register or memory. */
bool x86_64_target(const struct x86_64_instruction *instruction, uint64_t *svma);

/* Whether an operand is this register, as a whole. */
bool x86_64_is_register(const ZydisDecodedOperand *operand, ZydisRegister reg);

/* Whether an operand in memory is at a register's value and a displacement, and nothing else. */
bool x86_64_is_by_one_register(const ZydisDecodedOperand *operand);

/*
 * Adds the references of one piece of code: operands in memory relative to RIP, absolute ones where wanted.
 * Zydis has been loaded.
 */
void x86_64_references(const struct disassemble_request *request, const struct code_bytes *code,
                       struct code_references *out);

#endif
