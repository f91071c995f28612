/*
 * Which attributes of entries readers here look at, and where each is kept.
 */
#ifndef DWARF_ENTRY_ATTRIBUTES_H
#define DWARF_ENTRY_ATTRIBUTES_H

#include <stdint.h>

enum entry_attribute {
    ENTRY_ABSTRACT_ORIGIN,
    ENTRY_ADDRESS_BASE,
    ENTRY_CALL_FILE,
    ENTRY_CALL_LINE,
    ENTRY_DECLARED_FILE,
    ENTRY_DIRECTORY,
    ENTRY_HIGH_PC,
    ENTRY_LANGUAGE,
    ENTRY_LINKAGE_NAME,
    ENTRY_LOW_PC,
    ENTRY_NAME,
    ENTRY_RANGES,
    ENTRY_RANGES_BASE,
    ENTRY_SPECIFICATION,
    ENTRY_SPLIT_ID,
    ENTRY_SPLIT_NAME,
    ENTRY_STATEMENTS,
    ENTRY_STR_OFFSETS_BASE,
    ENTRY_ATTRIBUTE_COUNT,
};

/* The place of an attribute of that name, DW_AT_*; ENTRY_ATTRIBUTE_COUNT for those that nobody here asks for.
 */
enum entry_attribute entry_attribute_of(uint16_t name);

#endif
