/* Steps up the stack out of functions that have no unwind information. */
#ifndef UNWIND_STEP_BY_GUESS_H
#define UNWIND_STEP_BY_GUESS_H

#include "unwind/walk.h"

/* What was read of a function's code. */
struct code_hints {
    bool moved_stack;
    bool fp_is_callers;
    bool is_made; /* it was made at run time */
};

/*
 * Leaves a function that has no call frame information: by the link register, of what was interrupted
 * and does not lead back into itself, or by the frame pointer, where it leads to a return address; a function
 * that was interrupted may have no frame yet, or never one: its return address is on top then. In `*cfa` the
 * stack pointer's value in the caller, to whose state the walk's is set. UNWIND_COMPLETE: it went there, or
 * `*is_last` tells that there is none.
 */
enum unwind_end step_by_guess(struct unwind_walk *walk, struct code_hints hints, uint64_t *cfa,
                              bool *is_last);

#endif
