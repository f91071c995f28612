/*
 * capstone, the disassembler, loaded by the first code that is read: most runs need none. Its types and
 * values are those of its own headers.
 */
#ifndef CODE_CAPSTONE_H
#define CODE_CAPSTONE_H

#include <capstone/capstone.h>

#include "base/error.h"

/* The functions that are used; each does what its name says in capstone's documentation. */
struct capstone {
    __typeof__(&cs_open) open;
    __typeof__(&cs_close) close;
    __typeof__(&cs_option) option;
    __typeof__(&cs_malloc) new_instruction;
    __typeof__(&cs_free) free_instructions;
    __typeof__(&cs_disasm_iter) next;
};

/* Returns 0, or -1 with ERROR_MISSING when it is not installed; the hint names the package. */
MUST_CHECK int capstone_load(const struct capstone **out, struct error *err);

#endif
