/*
 * The lengths of x86-64's instructions (Intel 64 and IA-32 Architectures Software Developer's Manual, volume
 * 2, chapter 2 and appendix A), and what in them is told from where they stand. Nothing else of them is
 * known.
 */
#ifndef PRELOAD_LINKED_INSTRUCTION_H
#define PRELOAD_LINKED_INSTRUCTION_H

#include <stddef.h>
#include <stdint.h>

enum instruction_relative {
    INSTRUCTION_PLACELESS, /* the same wherever it stands */
    INSTRUCTION_DATA,      /* memory at 32 bits from its end */
    INSTRUCTION_JUMP,      /* goes, or may go, on at 32 bits from its end */
    INSTRUCTION_CALL,
    INSTRUCTION_SHORT_JUMP, /* at 8 bits from its end */
};

struct instruction {
    uint8_t length; /* 1 to 15 */
    uint8_t relative;
    uint8_t distance_at; /* where these bits are; 0: there are none */
};

/* Of up to `size` bytes. The length is 0 where it is no instruction, or none that is known here. */
struct instruction instruction_read(const uint8_t *bytes, size_t size);

/* From its end, in bytes; 0 of one that is not relative. */
int64_t instruction_distance(const struct instruction *instruction, const uint8_t *bytes);

#endif
