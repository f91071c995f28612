/*
 * Zydis, which takes instructions of x86-64 apart, loaded by the first that is read: most runs need none. Its
 * types and values are those of its own headers. It reads an instruction in a third of capstone's time, and
 * knows those of AVX-512, which capstone 4 does not.
 */
#ifndef CODE_ZYDIS_H
#define CODE_ZYDIS_H

#include <Zydis/Zydis.h>

#include "base/error.h"

/* The functions that are used; each does what its name says in Zydis' documentation. */
struct zydis {
    __typeof__(&ZydisDecoderInit) init;
    __typeof__(&ZydisDecoderDecodeInstruction) decode_instruction;
    __typeof__(&ZydisDecoderDecodeOperands) decode_operands;
    __typeof__(&ZydisFormatterInit) init_formatter;
    __typeof__(&ZydisFormatterSetProperty) set_property;
    __typeof__(&ZydisFormatterFormatInstruction) format_instruction;
    __typeof__(&ZydisMnemonicGetString) mnemonic_string;
};

/* Returns 0, or -1 with ERROR_MISSING when it is not installed; the hint names the package. */
MUST_CHECK int zydis_load(const struct zydis **out, struct error *err);

#endif
