/*
 * What is known of a function's frame before an instruction, and what the instruction makes of it: which
 * registers hold addresses of the frame, and where it keeps its caller's values. x86-64.
 */
#ifndef CODE_FRAME_STATE_H
#define CODE_FRAME_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "code/frame_shapes.h"
#include "code/x86_64.h"

enum { FRAME_REGISTERS = 16 };

/* The registers whose values in the caller are followed: RBP and RBX. */
enum { FRAME_POINTER, BASE_POINTER, FRAME_FOLLOWED };

enum frame_base {
    FRAME_NOWHERE, /* not known, or no address of the frame */
    FRAME_CFA,
    FRAME_ALIGNED, /* what the stack pointer was when it was aligned: below the CFA, nobody knows how far */
};

/* The address base + offset. */
struct frame_place {
    enum frame_base base;
    int32_t offset;
};

struct frame_callers_value {
    enum frame_saved saved;
    struct frame_place place; /* where it is stored */
};

struct frame_state {
    struct frame_place registers[FRAME_REGISTERS]; /* what each holds, by DWARF number */
    struct frame_callers_value callers[FRAME_FOLLOWED];
    struct frame_place home;    /* where an aligned frame keeps an address */
    struct frame_place at_home; /* that is this one: some words below the CFA */
};

/* As on entry: the stack pointer is at the return address, 8 bytes below the CFA. */
struct frame_state frame_state_at_start(void);

/* Whether the stack pointer is where it was on entry. */
bool frame_state_is_as_at_start(const struct frame_state *state);

/* What is known behind the instruction, which was read with its details. */
void frame_state_change(struct frame_state *state, const struct x86_64_instruction *instruction);

/* The DWARF number of the register that the instruction compares the stack pointer with; -1: none. */
int frame_state_compared(const struct x86_64_instruction *instruction);

/* The stack pointer is there, as is known from elsewhere. */
void frame_state_set_stack_pointer(struct frame_state *state, struct frame_place place);

#endif
