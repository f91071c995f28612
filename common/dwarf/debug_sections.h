/*
 * The debug sections of one file, decompressed, as plain bytes: what every reader in this folder takes.
 * A file of split debug information (.dwo) has the same sections under names that end in ".dwo".
 */
#ifndef DWARF_DEBUG_SECTIONS_H
#define DWARF_DEBUG_SECTIONS_H

#include "elf/image.h"

enum debug_section {
    DEBUG_ABBREV,
    DEBUG_ADDR,
    DEBUG_INFO,
    DEBUG_LINE,
    DEBUG_LINE_STR,
    DEBUG_RANGES,
    DEBUG_RNGLISTS,
    DEBUG_STR,
    DEBUG_STR_OFFSETS,
    DEBUG_SECTION_COUNT,
};

struct debug_sections {
    struct slice data[DEBUG_SECTION_COUNT]; /* empty when the file has none */
    char *owned[DEBUG_SECTION_COUNT];       /* decompressed content; NULL where `data` is the image's */
    bool big_endian;
    bool is_split;           /* the sections are the ".dwo" ones */
    struct code_bounds code; /* of the file; ranges outside are of functions that the linker dropped */
};

/*
 * Reads the sections; `image` must outlive the result, which is to be released with
 * debug_sections_done. A file without debug information gives empty sections.
 * Returns 0, or -1 with `out` untouched and the failures of compression_read.
 */
MUST_CHECK int debug_sections_read(struct image *image, struct debug_sections *out, struct error *err);

void debug_sections_done(struct debug_sections *sections);

/* A cursor over one of them in the file's byte order. */
struct bytes debug_sections_cursor(const struct debug_sections *sections, enum debug_section which);

#endif
