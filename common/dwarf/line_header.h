/* The header of a line table: how its program is written, and the files. */
#ifndef DWARF_LINE_HEADER_H
#define DWARF_LINE_HEADER_H

#include "dwarf/line_table.h"

struct line_header {
    struct encoding encoding;          /* of the table, which may differ from the unit's */
    struct slice opcode_lengths;       /* one byte for each standard opcode from 1 */
    uint8_t minimum_instruction_bytes; /* what address advances count */
    int8_t line_base;
    uint8_t line_range; /* never 0 */
    uint8_t opcode_base;
    struct bytes program; /* ready to be run */
};

/*
 * Reads the header at `unit->line_offset` and adds the files to `table`. Returns false when it is damaged or
 * of an unknown version; files read before then stay.
 */
bool line_header_read(const struct debug_sections *sections, const struct unit *unit,
                      struct line_table *table, struct line_header *out);

#endif
