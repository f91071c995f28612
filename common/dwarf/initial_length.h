/* How tables of debug information begin: with their length, which also tells how wide offsets are in them. */
#ifndef DWARF_INITIAL_LENGTH_H
#define DWARF_INITIAL_LENGTH_H

#include "base/bytes.h"

/*
 * Reads the length of what follows it, and 4, or 8 in 64-bit DWARF (DWARF 5, §7.4). False when it is not
 * there or there are not so many bytes left. The cursor then stands behind what was read.
 */
bool initial_length_read(struct bytes *cursor, uint64_t *length, uint8_t *offset_bytes);

#endif
