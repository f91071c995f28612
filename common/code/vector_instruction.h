/*
 * Instructions of x86-64 with a VEX or EVEX prefix, taken apart as far as their length and the place they
 * refer to: those that capstone does not know would make it lose the boundaries of what follows.
 */
#ifndef CODE_VECTOR_INSTRUCTION_H
#define CODE_VECTOR_INSTRUCTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/slice.h"

struct vector_instruction {
    size_t length;
    bool is_relative;     /* an operand is in memory, relative to the next instruction: */
    int32_t displacement; /* that many bytes behind its start */
};

/* The one that `bytes` begin with; false when it is none of these, or cut (Intel's manual, volume
 * 2, 2.3, 2.7). */
bool vector_instruction_read(struct slice bytes, struct vector_instruction *out);

#endif
