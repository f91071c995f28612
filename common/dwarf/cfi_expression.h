/*
 * Values that call frame information computes by expressions (DWARF 5, §2.5.1 and §6.4.2): a small machine
 * with a stack, bounded in steps and depth. Operations that need more than registers and memory are not known
 * to it.
 */
#ifndef DWARF_CFI_EXPRESSION_H
#define DWARF_CFI_EXPRESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/slice.h"

enum cfi_value {
    CFI_VALUE_KNOWN,
    CFI_VALUE_UNREADABLE, /* memory that it needs cannot be read */
    CFI_VALUE_UNKNOWN,    /* damaged, too long, not understood, or a register is not known */
};

/* What an expression may ask for: both return false when they cannot tell. */
struct cfi_surroundings {
    bool (*find_register)(const void *context, uint32_t number, uint64_t *out);
    bool (*read)(const void *context, uint64_t address, uint64_t *out); /* 8 bytes */
    const void *context;
};

/*
 * Runs the expression whose length, as LEB128, stands at `offset` of the section's content. `initial` is what
 * its stack begins with, NULL for nothing. Only CFI_VALUE_KNOWN sets `out`.
 */
enum cfi_value cfi_expression_run(struct slice section, uint32_t offset, const uint64_t *initial,
                                  const struct cfi_surroundings *surroundings, uint64_t *out);

#endif
