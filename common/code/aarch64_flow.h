/*
 * Where control goes in AArch64 code, and what functions that nothing else tells of do with their frames:
 * read from the encodings of the Arm Architecture Reference Manual, C4.1. Instructions are little-endian
 * words.
 */
#ifndef CODE_AARCH64_FLOW_H
#define CODE_AARCH64_FLOW_H

#include "code/disassemble.h"

enum { AARCH64_INSTRUCTION_BYTES = 4 };

/* By the numbers that DWARF has, too (DWARF for the Arm 64-bit architecture, 4.1): x30, sp. */
enum { AARCH64_LINK_REGISTER = 30, AARCH64_STACK_POINTER = 31 };

/* BL or BLR, also with authentication. */
bool aarch64_is_call(uint32_t instruction);

/* B, or BR, also with authentication. */
bool aarch64_is_jump(uint32_t instruction);

/* Whether the instruction at `svma` is BL; `*target` is what it calls. */
bool aarch64_is_direct_call(uint32_t instruction, uint64_t svma, uint64_t *target);

/* Whether a function, given as a whole, may go on in another one without a call, as of calls_find_jumps. */
bool aarch64_may_jump_out(const struct code_bytes *function);

struct aarch64_frame {
    /*
     * Up to this address, from the first instruction on, the stack pointer is as the function was called, and
     * the return address in x30: of functions that call none mostly to the end.
     */
    uint64_t as_called_until_svma;
    bool has_frame_pointer; /* x29 is made its own somewhere; else it is the caller's or anything */
};

/* Of a function that is given from its first instruction on. */
struct aarch64_frame aarch64_frame_read(const struct code_bytes *function);

#endif
