/* References of x86-64 code, its instructions taken apart by capstone. */
#ifndef CODE_X86_64_H
#define CODE_X86_64_H

#include "code/capstone.h"
#include "code/disassemble.h"

/* A disassembler for one thread. */
struct x86_64_reader {
    const struct capstone *capstone;
    csh handle;
    cs_insn *instruction;
};

/* False when capstone gives none. To be released with x86_64_close. */
bool x86_64_open(const struct capstone *capstone, struct x86_64_reader *out);

/* The same with capstone loaded first. Returns 0, or -1 with ERROR_MISSING: it is not installed, or gives
 * none. */
MUST_CHECK int x86_64_load(struct x86_64_reader *out, struct error *err);

void x86_64_close(struct x86_64_reader *reader);

/* Whether the instruction is of that group, X86_GRP_*. */
bool x86_64_is_in_group(const cs_insn *instruction, uint8_t group);

/* Whether the next instruction is reached from this one, as after a call that returns. */
bool x86_64_goes_on(const cs_insn *instruction);

/* Adds the references of one piece of code: operands in memory relative to RIP, absolute ones where wanted.
 */
void x86_64_references(struct x86_64_reader *reader, const struct disassemble_request *request,
                       const struct code_bytes *code, struct code_references *out);

#endif
