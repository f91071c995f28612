/*
 * Where a function's frame is, read from its code: for functions that nothing else tells of, as those written
 * in assembly. Followed are the instructions that move the stack pointer and the frame pointer, and jumps; of
 * what is reached through a table of jumps alone it is taken that the stack is as where the table is used.
 * Against the call frame information of programs that have some it is right for 90 % of their code, wrong for
 * 0.1 % at most, and not known for the rest (tests/bench/bench_frame_shapes). x86-64 alone, through capstone.
 */
#ifndef CODE_FRAME_SHAPES_H
#define CODE_FRAME_SHAPES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/vec.h"
#include "code/disassemble.h"

/* What became of the caller's value of a register. */
enum frame_saved {
    FRAME_IN_REGISTER, /* it is still there */
    FRAME_STORED,      /* at CFA + offset */
    FRAME_LOST,
};

struct frame_register {
    enum frame_saved saved;
    int32_t offset;
};

/* How it is from one instruction on, up to the next shape's. The return address is at CFA - 8. */
struct frame_shape {
    uint64_t svma;
    bool is_followed;      /* all that leads here was; false: nothing below counts */
    bool is_known;         /* where the CFA is; false: the stack pointer was moved by nobody knows how much */
    bool by_frame_pointer; /* the CFA is RBP + cfa_offset; else RSP + cfa_offset */
    int32_t cfa_offset;
    struct frame_register frame; /* RBP */
    struct frame_register base;  /* RBX */
};

/* Zero-initialised is empty. */
struct frame_shapes {
    VEC(struct frame_shape) items; /* rising; the first is the function's start */
};

void frame_shapes_done(struct frame_shapes *shapes);

enum { FRAME_SHAPES_MOST_BYTES = 1 << 18 };

/*
 * Reads one function from its first instruction on; what is longer than FRAME_SHAPES_MOST_BYTES is not read
 * to its end, where nothing is known then. The time is linear in the bytes. Returns 0, or -1 with
 * ERROR_MISSING: capstone is not installed, or gives no disassembler. `out` was empty, and is to be released
 * with frame_shapes_done.
 */
MUST_CHECK int frame_shapes_read(const struct code_bytes *function, struct frame_shapes *out,
                                 struct error *err);

/* The shape at this address; NULL when what leads there was not followed. */
const struct frame_shape *frame_shapes_at(const struct frame_shapes *shapes, uint64_t svma);

/* The same; NULL also when it is not known where the CFA is. */
const struct frame_shape *frame_shapes_find(const struct frame_shapes *shapes, uint64_t svma);

#endif
