/*
 * One entry of .debug_info (a DIE) with the attributes that readers here look at.
 */
#ifndef DWARF_ENTRY_H
#define DWARF_ENTRY_H

#include "dwarf/attribute.h"
#include "dwarf/entry_attributes.h"

struct entry {
    uint64_t offset;                         /* in .debug_info */
    const struct abbreviation *abbreviation; /* NULL for the end of a list of children */
    struct attribute attributes[ENTRY_ATTRIBUTE_COUNT];
};

/*
 * Reads the abbreviation code of the entry at the cursor: NULL with the cursor not failed
 * at the end of a list of children. A code that the table does not have fails the cursor.
 */
const struct abbreviation *entry_begin(struct bytes *cursor, const struct abbreviations *table);

/* Reads over the attributes of the entry that began. */
void entry_skip(struct bytes *cursor, const struct encoding *encoding, const struct abbreviations *table,
                const struct abbreviation *abbreviation);

/* Reads the attributes of the entry that began at `offset`. Of an attribute that occurs twice the last
 * counts. */
void entry_read(struct bytes *cursor, const struct encoding *encoding, const struct abbreviations *table,
                const struct abbreviation *abbreviation, uint64_t offset, struct entry *out);

/* The value of a constant or offset, or `otherwise`. */
uint64_t entry_number(const struct entry *entry, enum entry_attribute which, uint64_t otherwise);

#endif
