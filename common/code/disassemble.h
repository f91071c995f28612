/*
 * What machine code refers to: the addresses that its instructions compute relative to themselves, and where
 * a file is linked for fixed addresses those that it has as they are. x86-64 through Zydis; AArch64, whose
 * instructions are all of one length, by a reader of our own.
 */
#ifndef CODE_DISASSEMBLE_H
#define CODE_DISASSEMBLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/slice.h"
#include "base/vec.h"

struct code_reference {
    uint64_t from_svma; /* of the instruction */
    uint64_t to_svma;
    bool is_absolute; /* a number that is an address of the file, and may be a mere number */
};

/* Zero-initialised is empty. */
struct code_references {
    VEC(struct code_reference) items;
};

/* The code of one function, or a part of it. */
struct code_bytes {
    struct slice bytes;
    uint64_t svma;
};

struct disassemble_request {
    uint16_t machine; /* EM_* */
    const struct code_bytes *code;
    size_t code_count;
    uint64_t targets_start; /* references outside of these addresses are left out */
    uint64_t targets_end;
    bool takes_absolute; /* the file has fixed addresses: numbers among these count too */
};

/* Whether code for the machine can be read. */
bool disassemble_knows(uint16_t machine);

/*
 * Finds the references of each piece of code, in its order, with as many threads as there are processors.
 * What reads as no instruction is passed over. The time is linear in the bytes.
 *
 * Returns 0, or -1 with ERROR_MISSING: Zydis is not installed. A machine that is not known has no
 * references. `out` is to be released with code_references_done.
 */
MUST_CHECK int disassemble_references(const struct disassemble_request *request, struct code_references *out,
                                      struct error *err);

void code_references_done(struct code_references *references);

#endif
