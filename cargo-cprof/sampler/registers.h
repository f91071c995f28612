/*
 * The registers that a sample carries, by their DWARF numbers: System V x86-64 ABI §3.6.2 (16 is the
 * instruction pointer), DWARF for the Arm 64-bit architecture §4.1 (31 is sp, 32 is pc). FP is the frame
 * pointer, BP the base pointer that compilers use beside it (rbx, x19): with sp, what CFAs are made from.
 * LINK is where calls put the return address, which x86-64 pushes: it has no register of that number.
 * Another machine adds its own line here and its order of registers in sampler/perf/decode.c.
 */
#ifndef SAMPLER_REGISTERS_H
#define SAMPLER_REGISTERS_H

#include <stdbool.h>
#include <stdint.h>

#if defined(__aarch64__)
enum {
    REGISTERS_COUNT = 33,
    REGISTERS_SP = 31,
    REGISTERS_IP = 32,
    REGISTERS_FP = 29,
    REGISTERS_BP = 19,
    REGISTERS_HAVE_LINK = 1
};
#else
enum {
    REGISTERS_COUNT = 17,
    REGISTERS_SP = 7,
    REGISTERS_IP = 16,
    REGISTERS_FP = 6,
    REGISTERS_BP = 3,
    REGISTERS_HAVE_LINK = 0
};
#endif
enum { REGISTERS_LINK = 30 };

struct registers {
    uint64_t values[REGISTERS_COUNT];
    uint64_t known; /* bit N: register N has a value */
};

/* What the link register holds; false where that is not known, or the machine has none. */
static inline bool registers_link(const struct registers *registers, uint64_t *out)
{
    if (!REGISTERS_HAVE_LINK || !(registers->known >> REGISTERS_LINK & 1))
        return false;
    *out = registers->values[REGISTERS_LINK % REGISTERS_COUNT];
    return true;
}

#endif
