/* The instructions of call frame information, run into rows (DWARF 5, §6.4.2). */
#ifndef DWARF_CFI_PROGRAM_H
#define DWARF_CFI_PROGRAM_H

#include "dwarf/cfi.h"

/* What entries share: a CIE, and what its own instructions made of the first row. */
struct cfi_common {
    struct cfi_row initial; /* svma is not set */
    uint64_t code_alignment;
    int64_t data_alignment;
    uint32_t return_register;
    uint32_t frame_register;
    uint32_t base_register;
    uint16_t machine; /* EM_*: some instructions mean different things */
    unsigned address_bytes;
    bool has_augmentation_data; /* in each entry, behind its addresses */
    uint8_t pointer_encoding;   /* DW_EH_PE_* of the addresses in entries */
    uint8_t table_encoding;     /* DW_EH_PE_* of where an entry's LSDA is; DW_EH_PE_omit for none */
};

/* Where rows of one entry go to. */
struct cfi_sink {
    struct cfi *cfi;
    uint64_t start; /* first address of the entry */
    uint64_t end;   /* past its last */
};

/*
 * Runs the common instructions into common->initial. Returns false when they are damaged.
 */
bool cfi_program_run_common(struct bytes program, struct cfi_common *common);

/*
 * Runs an entry's instructions and adds its rows, the first at sink->start. Returns false when they are
 * damaged, with rows added up to there.
 */
bool cfi_program_run(struct bytes program, const struct cfi_common *common, const struct cfi_sink *sink);

#endif
