/*
 * The debug sections of one file, decompressed, as plain bytes: what every reader in this folder takes.
 * They are the most of what debug information takes in memory, so each is there only while it is needed.
 * A file of split debug information (.dwo, .dwp) has the same sections under names that end in ".dwo".
 */
#ifndef DWARF_DEBUG_SECTIONS_H
#define DWARF_DEBUG_SECTIONS_H

#include "elf/image.h"
#include "elf/section_parts.h"

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

/* How much of the sections is read: all at once, or of large ones what cursors are asked for. */
enum debug_extent { DEBUG_WHOLE, DEBUG_PARTS };

struct debug_sections {
    /* Empty when the file has none. Bytes are looked at through cursors only: they read what is not there. */
    struct slice data[DEBUG_SECTION_COUNT];
    char *owned[DEBUG_SECTION_COUNT]; /* decompressed content; NULL where `data` is the image's */
    /* Owned but in split files' sections, where they may be the program's; NULL: all of `data` is there. */
    struct section_parts *parts[DEBUG_SECTION_COUNT];
    struct image *image; /* borrowed; NULL in tests that set `data` by themselves */
    enum debug_extent extent;
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
MUST_CHECK int debug_sections_read(struct image *image, enum debug_extent extent, struct debug_sections *out,
                                   struct error *err);

void debug_sections_done(struct debug_sections *sections);

/*
 * Reads the line tables, once. Returns 0, or -1 with the failures of compression_read; they stay empty then.
 */
MUST_CHECK int debug_sections_read_lines(struct debug_sections *sections, struct error *err);

/* Gives back the memory of one of them, which is then empty, and so is what slices of it pointed to. */
void debug_sections_release(struct debug_sections *sections, enum debug_section which);

/*
 * A cursor at `offset` of one of them, in the file's byte order. It ends `length` bytes on, at the latest
 * with the section; it has failed when the offset lies past the section or the file cannot be read.
 */
struct bytes debug_sections_cursor(const struct debug_sections *sections, enum debug_section which,
                                   uint64_t offset, uint64_t length);

/* Lets such a cursor, which has not failed, reach at least `length` bytes on, or as far as the section. */
void debug_sections_extend(const struct debug_sections *sections, enum debug_section which,
                           struct bytes *cursor, uint64_t length);

/* The string at `offset`, which lives as long as the section; empty when it does not end within it. */
struct slice debug_sections_string(const struct debug_sections *sections, enum debug_section which,
                                   uint64_t offset);

#endif
