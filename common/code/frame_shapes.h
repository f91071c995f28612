/*
 * Where a function's frame is, read from its code: for functions that nothing else tells of, as those written
 * in assembly. Followed are the instructions that move the stack pointer and the frame pointer, also where
 * the stack is aligned and the frame keeps what the stack pointer was before, and jumps; of what is reached
 * through a table of jumps alone it is taken that the stack is as where the table is used. Against the call
 * frame information of programs that have some it is right for 90 % of their code, wrong for 0.1 % at most,
 * and not known for the rest (tests/bench/bench_frame_shapes). x86-64 alone, through Zydis.
 */
#ifndef CODE_FRAME_SHAPES_H
#define CODE_FRAME_SHAPES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/vec.h"
#include "code/disassemble.h"

/* DWARF numbers (System V x86-64 ABI, 3.6.2). */
enum { FRAME_RBX = 3, FRAME_RBP = 6, FRAME_RSP = 7 };

/* What became of the caller's value of a register. */
enum frame_saved {
    FRAME_IN_REGISTER, /* it is still there */
    FRAME_STORED,      /* at CFA + offset, or at what the shape's register holds + offset */
    FRAME_LOST,
};

struct frame_register {
    enum frame_saved saved;
    bool is_by_register; /* not by the CFA */
    int32_t offset;
};

/* How it is from one instruction on, up to the next shape's. The return address is at CFA - 8. */
struct frame_shape {
    uint64_t svma;
    bool is_followed;     /* all that leads here was; false: nothing below counts */
    bool is_known;        /* where the CFA is; false: the stack pointer was moved by nobody knows how much */
    bool is_in_memory;    /* the CFA is stored_below above the address stored at register + cfa_offset */
    uint8_t cfa_register; /* DWARF number; else the CFA is register + cfa_offset */
    int32_t cfa_offset;   /* in bytes */
    int32_t stored_below; /* in bytes, of whole words */
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
 * ERROR_MISSING: Zydis is not installed. `out` was empty, and is to be released
 * with frame_shapes_done.
 */
MUST_CHECK int frame_shapes_read(const struct code_bytes *function, struct frame_shapes *out,
                                 struct error *err);

/* Whether the stack pointer or the frame pointer is at a known distance from the CFA. */
bool frame_shape_is_by_stack(const struct frame_shape *shape);

/* The shape at this address; NULL when what leads there was not followed. */
const struct frame_shape *frame_shapes_at(const struct frame_shapes *shapes, uint64_t svma);

/* The same; NULL also when it is not known where the CFA is. */
const struct frame_shape *frame_shapes_find(const struct frame_shapes *shapes, uint64_t svma);

#endif
