/* Where each entry of .eh_frame stands and which code it is for: what unwinding takes in a file, and whose.
 */
#ifndef DWARF_FRAME_ENTRIES_H
#define DWARF_FRAME_ENTRIES_H

#include "base/vec.h"
#include "elf/image.h"

struct frame_entry {
    uint64_t offset;     /* in the section */
    uint64_t size_bytes; /* with the length field */
    uint64_t code_svma;  /* of an FDE: where its code starts */
    uint64_t table_svma; /* of an FDE: its LSDA in .gcc_except_table; 0 for none */
    uint64_t common;     /* of an FDE: the offset of its CIE */
    bool is_description; /* an FDE that could be read */
};

/* Zero-initialised is empty. */
struct frame_entries {
    VEC(struct frame_entry) items; /* by offset, without overlaps */
    const struct section *section; /* .eh_frame; NULL without one */
};

/*
 * Reads the entries of a file that is linked, be it alone, up to the first one whose end is not known.
 * Returns 0, or -1 with `out` untouched and the failures of compression_read. To be released with
 * frame_entries_done.
 */
MUST_CHECK int frame_entries_read(struct image *image, struct frame_entries *out, struct error *err);

void frame_entries_done(struct frame_entries *entries);

#endif
