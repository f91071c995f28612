/* What is known of the frame that a walk has come to. */
#ifndef UNWIND_STATE_H
#define UNWIND_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A register that is followed up the stack. Few calls need its value, so where it was stored is enough. */
struct unwind_register {
    enum { REGISTER_UNKNOWN, REGISTER_VALUE, REGISTER_STORED } kind;
    uint64_t value; /* or the address of a word of the copy */
};

/* What is known of a frame. All registers but these are known of the innermost frame alone. */
struct unwind_state {
    uint64_t ip, sp;
    struct unwind_register fp, bp;
    struct unwind_register link; /* of what a signal interrupted alone */
    bool is_innermost;
    bool is_exact;      /* ip is the instruction itself, not one behind a call */
    bool has_left_copy; /* a signal's frame led to a stack that the copy is not of */
    bool sp_is_guess;   /* a frame pointer led here, from a function that had moved the stack pointer */
};

/* Where a walk has stopped, as the frames that come next are on another stack. */
struct unwind_point {
    struct unwind_state at; /* the last function on the stack before */
    size_t frame_count;     /* without that function */
    uint64_t cfa;           /* of its frame: on the other stack */
};

#endif
