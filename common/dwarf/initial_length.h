/* How tables of debug information begin: with their length, which also tells how wide offsets are in them. */
#ifndef DWARF_INITIAL_LENGTH_H
#define DWARF_INITIAL_LENGTH_H

#include "base/bytes.h"

enum { INITIAL_LENGTH_MOST_BYTES = 12 };

/*
 * Reads the length of what follows it, and 4, or 8 in 64-bit DWARF (DWARF 5, §7.4). False when it is not
 * there. The cursor then stands behind what was read.
 */
bool initial_length_take(struct bytes *cursor, uint64_t *length, uint8_t *offset_bytes);

/* The same; false also when there are not so many bytes left. */
bool initial_length_read(struct bytes *cursor, uint64_t *length, uint8_t *offset_bytes);

#endif
