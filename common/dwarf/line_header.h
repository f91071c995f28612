/* The header of a line table: how its program is written, and the files. */
#ifndef DWARF_LINE_HEADER_H
#define DWARF_LINE_HEADER_H

#include "dwarf/line_table.h"

struct line_header {
    struct encoding encoding;          /* of the table, which may differ from the unit's */
    struct slice opcode_lengths;       /* one byte for each standard opcode from 1 */
    uint8_t minimum_instruction_bytes; /* what address advances count */
    uint8_t opcode_base;
    /* What special opcodes do, by opcode. A program is made of them, so each is worked out once. */
    uint16_t advances[256]; /* of the address, in bytes; of opcode 255 what DW_LNS_const_add_pc does, too */
    int16_t line_advances[256];
    struct bytes program; /* ready to be run */
};

/*
 * Reads the header at `unit->line_offset` and adds the files to `table`. Returns false when it is damaged or
 * of an unknown version; files read before then stay.
 */
bool line_header_read(const struct debug_sections *sections, const struct unit *unit,
                      struct line_table *table, struct line_header *out);

#endif
