/*
 * Which function a call calls, and whether a function may end in another one: read from the instructions.
 * x86-64 alone, through Zydis.
 */
#ifndef CODE_CALLS_H
#define CODE_CALLS_H

#include "code/disassemble.h"

/* The longest function that is read. */
enum { CALLS_MOST_BYTES = 1 << 18 };

enum call_kind {
    CALL_NOT_KNOWN, /* through a register, or no call */
    CALL_DIRECT,    /* of the function at `svma` */
    CALL_THROUGH,   /* of the one whose address stands at `svma` */
};

struct call_target {
    enum call_kind kind;
    uint64_t svma;
};

/*
 * The call that the address is the return address of, in a function that is given from its first instruction
 * on. Returns 0, or -1 with ERROR_MISSING: Zydis is not installed.
 */
MUST_CHECK int calls_target(const struct code_bytes *function, uint64_t return_svma, struct call_target *out,
                            struct error *err);

/* Where a function may go on without a call. */
enum calls_jumps {
    CALLS_JUMPS_WITHIN,
    CALLS_JUMPS_BY_TABLE, /* of a `switch`: to its parts, which compilers may put elsewhere */
    CALLS_JUMPS_OUT,
};

/*
 * Whether the function, given as a whole, may go on in another one without a call: by a jump out of it, or
 * one through a register or a table of addresses, by a return to an address that it has put there, or as it
 * comes to its end. One with bytes that are no known instructions may. A table of distances that a jump adds
 * to its own address is of a `switch`: compilers call functions through none. Returns 0, or -1 with the
 * failures of calls_target.
 */
MUST_CHECK int calls_find_jumps(const struct code_bytes *function, enum calls_jumps *out, struct error *err);

#endif
