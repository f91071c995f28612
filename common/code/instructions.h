/* Machine code as text, an instruction a line: x86-64 and AArch64, through capstone and Zydis. */
#ifndef CODE_INSTRUCTIONS_H
#define CODE_INSTRUCTIONS_H

#include "base/arena.h"
#include "code/disassemble.h"

/* How operands of x86-64 are written; AArch64 has one way. */
enum instruction_syntax {
    SYNTAX_INTEL, /* "mov rax, qword ptr [rdi + 8]" */
    SYNTAX_ATT,   /* "movq 8(%rdi), %rax" */
};

struct instruction {
    uint64_t svma;
    uint32_t size_bytes;  /* never 0 */
    struct slice text;    /* in the arena */
    bool has_target;      /* it jumps to or calls what is at a fixed address: */
    bool is_indirect;     /* or, of x86-64, what has its address stored at one: */
    uint64_t target_svma; /* that address, which need not be in the file */
};

/* Zero-initialised is empty; to be released with instructions_done. */
struct instructions {
    VEC(struct instruction) items; /* rising, without gaps */
    struct arena arena;
};

void instructions_done(struct instructions *instructions);

/*
 * Appends the instructions of the code, from its first byte to its last. What is none is
 * ".byte 0x06", of AArch64 a word. Returns 0, or -1 with ERROR_MISSING: capstone is not installed or gives no
 * disassembler, or Zydis is not installed, or ERROR_FORMAT: code of this machine (EM_*) is not read.
 */
MUST_CHECK int instructions_read(uint16_t machine, const struct code_bytes *code,
                                 enum instruction_syntax syntax, struct instructions *out, struct error *err);

#endif
