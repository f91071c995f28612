/* References of AArch64 code, read from the encodings of the Arm Architecture Reference Manual, C4.1. */
#ifndef CODE_AARCH64_H
#define CODE_AARCH64_H

#include "code/disassemble.h"

/*
 * Adds the references of one piece of code: ADR, LDR from a literal, and ADRP with the ADD, load or store
 * that adds the rest of the address. A register counts as holding a page until something else is put into it,
 * a call may do so, or control goes elsewhere for good.
 */
void aarch64_references(const struct disassemble_request *request, const struct code_bytes *code,
                        struct code_references *out);

#endif
