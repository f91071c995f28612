/*
 * How to find a function's caller at each address: the call frame information of .eh_frame (LSB Core,
 * "Exception Frames") and .debug_frame (DWARF 5, §6.4), as a sorted array of compact rows. A row has what a
 * walk up the stack needs: the CFA, the return address, and the registers that CFAs are made from: frame
 * pointer and base pointer.
 */
#ifndef DWARF_CFI_H
#define DWARF_CFI_H

#include "base/vec.h"
#include "elf/image.h"

enum cfi_cfa_rule {
    CFI_CFA_NONE,     /* no call frame information from here on */
    CFI_CFA_REGISTER, /* cfa_register + cfa_offset */
    CFI_CFA_MEMORY,   /* cfa_words above the address stored at cfa_register + cfa_offset: signal frames */
    /*
     * The PLT of x86-64: stack pointer + cfa_offset, and 8 more once the low 4 bits of the program
     * counter are at least cfa_register.
     */
    CFI_CFA_PLT,
    CFI_CFA_EXPRESSION, /* what the expression at cfa_offset computes (dwarf/cfi_expression.h) */
    CFI_CFA_OTHER,      /* not understood */
};

enum cfi_register_rule {
    CFI_SAME,          /* still in its register */
    CFI_UNDEFINED,     /* lost; of the return address: this is the outermost frame */
    CFI_AT_CFA,        /* stored at CFA + offset */
    CFI_IS_CFA,        /* is CFA + offset */
    CFI_AT_BASE,       /* stored at cfa_register's value + offset: signal frames */
    CFI_IN_REGISTER,   /* in the register whose DWARF number is the offset */
    CFI_AT_EXPRESSION, /* stored where the expression at the offset computes, which starts with the CFA */
    CFI_IS_EXPRESSION, /* what that expression computes */
    CFI_OTHER,         /* not understood */
};

/* From `svma` on, up to the next row's, frames look like this. */
struct cfi_row {
    uint64_t svma;
    int32_t cfa_offset;
    int32_t return_offset;
    int32_t frame_offset; /* of the frame pointer */
    int32_t base_offset;  /* of the base pointer: what compilers use beside the frame pointer */
    uint8_t cfa_rule;     /* enum cfi_cfa_rule */
    uint8_t return_rule;  /* enum cfi_register_rule */
    uint8_t frame_rule;
    uint8_t base_rule;
    uint16_t cfa_register;        /* DWARF number */
    uint16_t is_signal_frame : 1; /* the caller was interrupted: its address is not one behind a call */
    uint16_t has_signed_return_address : 1; /* AArch64 pointer authentication: strip it */
    uint16_t is_debug_frame : 1;            /* of .debug_frame, which its expressions stand in */
    uint16_t cfa_words : 13;                /* of CFI_CFA_MEMORY, of 8 bytes; else 0 */
};

struct cfi {
    VEC(struct cfi_row) rows; /* svma strictly rising; the last one is CFI_CFA_NONE */
    uint32_t return_register; /* DWARF number where return addresses are when not stored; of the last CIE */
    uint32_t frame_register;  /* DWARF number of the machine's frame pointer; UINT32_MAX when unknown */
    size_t damaged_count;     /* entries that were left out */
    struct slice sections[2]; /* .eh_frame, .debug_frame: what expressions are read from; the image's, */
    char *owned[2];           /* or these */
};

/* The content of the section that the row's expressions stand in. */
struct slice cfi_section_of(const struct cfi *cfi, const struct cfi_row *row);

/*
 * Reads all call frame information of the file, which must outlive the result; none gives no rows. Where
 * entries overlap the one that starts first counts, .eh_frame's before .debug_frame's. To be released with
 * cfi_done. Returns 0, or -1 with `out` untouched and the failures of compression_read.
 */
MUST_CHECK int cfi_read(struct image *image, struct cfi *out, struct error *err);

/* The same of .debug_frame alone. */
MUST_CHECK int cfi_read_debug_frame(struct image *image, struct cfi *out, struct error *err);

void cfi_done(struct cfi *cfi);

/* The row that holds `svma`, or NULL when no information covers it. O(log n). */
const struct cfi_row *cfi_find(const struct cfi *cfi, uint64_t svma);

#endif
