/*
 * The compile units of a file: which of them an address belongs to, and the crate whose codegen unit it is.
 */
#ifndef DWARF_UNITS_H
#define DWARF_UNITS_H

#include "base/arena.h"
#include "base/error.h"
#include "base/intervals.h"
#include "base/text.h"
#include "dwarf/entry.h"

#define UNIT_NO_OFFSET UINT64_MAX

/* DW_LANG_Rust (DWARF 5, table 7.17). */
enum { UNIT_LANGUAGE_RUST = 0x1c };

struct unit {
    struct encoding encoding;
    uint64_t entries_offset;       /* of the first entry, the unit's own, in .debug_info */
    uint64_t end_offset;           /* past the last */
    uint64_t abbreviations_offset; /* of its table in .debug_abbrev */
    uint64_t line_offset;          /* of its line table in .debug_line, or UNIT_NO_OFFSET */
    uint64_t split_id;             /* of the split unit that goes with this one */
    /* DW_AT_name: rustc's "src/main.rs/@/fd.1a2b3c-cgu.0", and where it was compiled: relative paths count
     * from there. Both may be empty, and are until units_read_names when the sections are read in parts. */
    struct slice name;
    struct slice directory;
    struct attribute stored_name; /* where they stand */
    struct attribute stored_directory;
    struct slice split_name; /* path of the .dwo file that holds the rest; empty when all is here */
    uint32_t table;          /* index of its abbreviations in `tables` */
    uint16_t language;       /* DW_LANG_*; 0 when unknown */
};

struct units {
    const struct debug_sections *sections; /* borrowed */
    VEC(struct unit) items;                /* in the order of the file */
    VEC(struct abbreviations) tables;
    struct arena arena;        /* names that stood in .debug_info itself */
    struct interval_rows rows; /* address -> index into `items` */
    size_t damaged_count;      /* units that could not be read, or not to their end */
};

/*
 * Reads the headers of all units and their first entries, not what is inside. `sections` must outlive the
 * result, which is to be released with units_close. Never fails: what is damaged is counted.
 * Type units are left out.
 */
void units_read(const struct debug_sections *sections, struct units *out);

void units_close(struct units *units);

/* Reads name and directory of a unit, if they are not known yet: only of sections that are read in parts. */
void units_read_names(struct units *units, uint32_t unit);

#define UNIT_NONE INTERVAL_NONE

/* The unit whose code stands at `svma`, or UNIT_NONE. O(log n). */
uint32_t units_find(const struct units *units, uint64_t svma);

/* The unit that holds the entry at this offset of .debug_info, or UNIT_NONE. O(log n). */
uint32_t units_find_entry(const struct units *units, uint64_t offset);

/* The unit whose header is at this offset of .debug_info, or UNIT_NONE. O(log n). */
uint32_t units_find_header(const struct units *units, uint64_t offset);

/*
 * The root file of the unit's crate, as rustc names it before "/@/", or another compiler's source file:
 * dwarf/source_path.h tells the package from it. May be relative to the unit's directory.
 */
struct slice unit_root(const struct unit *unit);

/* Appends the path of that file, absolute if the unit's directory is: as line_table_add_path has it. */
void unit_add_root_path(const struct unit *unit, struct text *path);

/* rustc's name of the codegen unit, "fd.1a2b3c-cgu.0", in incremental builds a hash; empty for other
 * compilers. */
struct slice unit_codegen_unit(const struct unit *unit);

/* The crate part of rustc's unit name: "fd" of "src/main.rs/@/fd.1a2b3c-cgu.0"; empty for other compilers. */
struct slice unit_crate(const struct unit *unit);

#endif
