/*
 * The stubs of procedure linkage tables in AArch64 code, as GNU ld, gold and LLVM's lld write them (System V
 * ABI for the Arm 64-bit Architecture, "Procedure Linkage Table"): ADRP x16, LDR x17, ADD x16 and BR x17,
 * with BTI before it and AUTIA1716 before the jump where they are asked for, and NOP on either side.
 */
#ifndef CODE_AARCH64_STUB_H
#define CODE_AARCH64_STUB_H

#include "code/disassemble.h"

/* No stub is longer; code of so much on either side of an address has all of one that holds it. */
enum { AARCH64_STUB_BYTES = 24 };

/*
 * The place that the stub around `svma` jumps through. False where none is there, and of what has the loader
 * find the function, which a table begins with.
 */
bool aarch64_stub_place(const struct code_bytes *code, uint64_t svma, uint64_t *place_svma);

#endif
