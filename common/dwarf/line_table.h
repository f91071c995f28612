/*
 * The line table of one unit (DWARF 5, §6.2, and its forms since DWARF 2): address -> file and line.
 */
#ifndef DWARF_LINE_TABLE_H
#define DWARF_LINE_TABLE_H

#include "base/places.h"
#include "base/text.h"
#include "dwarf/units.h"

#define LINE_NO_FILE UINT32_MAX

/* From `svma` on, up to the next row's, code comes from this line. */
struct line_row {
    uint64_t svma;
    uint32_t
        file; /* index into `files`, perhaps one that is not there; LINE_NO_FILE behind the end of code */
    uint32_t line; /* from 1; 0 for code that belongs to no line */
};

struct line_file {
    struct slice
        name; /* as long as the sections live; may be absolute; empty for an index that is not used */
    struct slice directory; /* to be put in front; may be relative to the unit's, or empty */
};

struct line_table {
    VEC(struct line_row) rows;   /* svma strictly rising; the last row of each run is LINE_NO_FILE */
    VEC(struct line_file) files; /* by the index that rows and entries use */
    struct slice directory;      /* the unit's, where relative ones count from */
    bool is_damaged;             /* something was left out */
};

/*
 * Reads the unit's table; empty when it has none. Of runs of code that overlap the one that starts
 * later is left out, as are runs that are no code of the file. With `wanted` not NULL only the runs that hold
 * one of these addresses are kept; nothing is then found in others. To be released with line_table_done.
 */
void line_table_read(const struct debug_sections *sections, const struct unit *unit,
                     const struct places *wanted, struct line_table *out);

void line_table_done(struct line_table *table);

/* The index of the first row that starts past `svma`; how many there are when none does. O(log n). */
size_t line_table_after(const struct line_table *table, uint64_t svma);

/* The row that holds `svma`, never one of LINE_NO_FILE, or NULL. O(log n). */
const struct line_row *line_table_find(const struct line_table *table, uint64_t svma);

/* Appends the path of a file by index, absolute if the unit's directory is; false when there is no such file.
 */
bool line_table_add_path(const struct line_table *table, uint32_t file, struct text *path);

#endif
