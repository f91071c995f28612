/*
 * Single entries of .eh_frame and .debug_frame: CIEs and FDEs, their headers and their rows (LSB Core,
 * "Exception Frames"; DWARF 5, §6.4.1).
 */
#ifndef DWARF_CFI_ENTRIES_H
#define DWARF_CFI_ENTRIES_H

#include "dwarf/cfi.h"
#include "dwarf/cfi_program.h"
#include "elf/section_parts.h"

/* How often the content of a section may be read for its CIEs. */
enum { CFI_COMMON_OVERLAPS = 8 };

/* The rows of one entry: its code goes from the first row's address to `end`. */
struct cfi_run {
    uint64_t start;
    uint64_t end;
    size_t first_row;
    size_t row_count;
};

/* One of the two sections while it is read. */
struct cfi_reader {
    const struct image *image;
    struct slice content;
    struct section_parts *parts; /* borrowed; each is read before it is looked at; NULL: all is there */
    uint64_t svma;               /* of the section: what pointers relative to themselves count from */
    bool is_eh_frame;
    struct code_bounds code;
    struct cfi *cfi;
    VEC(struct cfi_run) runs;
    struct cfi_common common;
    uint64_t common_offset; /* of the CIE that `common` was read from; UINT64_MAX for none */
    bool common_is_whole;
    uint64_t common_bytes_left; /* entries may switch between CIEs; hostile ones do at every turn */
};

/* One entry's header: its bytes after the length, and whether offsets in it are of 8 bytes. */
struct cfi_entry {
    struct bytes cursor; /* ends where the entry does; offsets count from the section's start */
    uint64_t id;         /* 0 or all ones for a CIE, else where the CIE is */
    uint64_t id_offset;
    uint8_t offset_bytes;
};

/* The DWARF number of a machine's frame pointer (EM_*); UINT32_MAX when it is not known. */
uint32_t cfi_frame_register(uint16_t machine);

/*
 * Readies `reader`, whose image, code and rows are set, for the section of that name. What is not the image's
 * goes to `owned`, to be freed. A file without the section has no content. Fails as compression_read does.
 */
MUST_CHECK int cfi_open_section(struct image *image, struct slice name, struct cfi_reader *reader,
                                char **owned, struct error *err);

/* The same of a section's content that the caller has, or has in parts. */
void cfi_set_section(struct cfi_reader *reader, const struct section *section, struct slice content);

/* Whether the entry is a CIE. */
bool cfi_is_common(const struct cfi_reader *reader, const struct cfi_entry *entry);

/* False when the section cannot be read on from `at`. An entry of length 0 is skipped as a whole. */
bool cfi_take_entry(const struct cfi_reader *reader, uint64_t at, struct cfi_entry *out);

/* What an FDE is about. */
struct cfi_description {
    uint64_t start; /* svma of the code */
    uint64_t end;
    uint64_t table_svma; /* of its language's own data (LSDA), in .gcc_except_table; 0 for none */
};

/*
 * Reads an FDE up to its instructions, where the entry's cursor then stands; its CIE is reader->common.
 * False when it is damaged.
 */
bool cfi_take_description(struct cfi_reader *reader, struct cfi_entry *entry, struct cfi_description *out);

/* Whether it is about code of the file: linkers leave entries of functions that they dropped. */
bool cfi_has_code(const struct cfi_reader *reader, const struct cfi_description *description);

/*
 * Adds the rows of an FDE that was just read up to its instructions and has code, and its run. False when it
 * is damaged; what was read before then stays.
 */
bool cfi_read_rows(struct cfi_reader *reader, const struct cfi_entry *entry,
                   const struct cfi_description *description);

/* Reads an FDE and adds its rows, if it has code. Returns as cfi_read_rows does. */
bool cfi_read_description(struct cfi_reader *reader, struct cfi_entry *entry);

#endif
