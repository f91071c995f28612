/*
 * The debug sections of one file, decompressed, as plain bytes: what every reader in this folder takes.
 * They are the most of what debug information takes in memory, so each is there only while it is needed.
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
    struct image *image;                    /* borrowed; NULL in tests that set `data` by themselves */
    /* Where `data` comes from; NULL for what the file does not have. */
    const struct section *stored[DEBUG_SECTION_COUNT];
    bool big_endian;
    bool is_split;           /* the sections are the ".dwo" ones */
    struct code_bounds code; /* of the file; ranges outside are of functions that the linker dropped */
};

/*
 * Reads the sections, but for the line tables; `image` must outlive the result, which is to be
 * released with debug_sections_done. A file without debug information gives empty sections.
 * Returns 0, or -1 with `out` untouched and the failures of compression_read.
 */
MUST_CHECK int debug_sections_read(struct image *image, struct debug_sections *out, struct error *err);

void debug_sections_done(struct debug_sections *sections);

/* Reads the line tables, once; false, and they stay empty, when they are damaged or cannot be read. */
bool debug_sections_read_lines(struct debug_sections *sections);

/* Gives back the memory of one of them, which is then empty, and so is what slices of it pointed to. */
void debug_sections_release(struct debug_sections *sections, enum debug_section which);

/* A cursor over one of them in the file's byte order. */
struct bytes debug_sections_cursor(const struct debug_sections *sections, enum debug_section which);

#endif
