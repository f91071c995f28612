/*
 * Values of attributes in .debug_info: one reader for every form (DWARF 5, §7.5.6, and GNU's forms for
 * split and shared debug information), and what the values stand for.
 */
#ifndef DWARF_ATTRIBUTE_H
#define DWARF_ATTRIBUTE_H

#include "dwarf/abbreviations.h"
#include "dwarf/debug_sections.h"

enum attribute_class {
    ATTRIBUTE_NONE, /* absent, or of a kind nobody here asks for */
    ATTRIBUTE_ADDRESS,
    ATTRIBUTE_ADDRESS_INDEX,      /* into .debug_addr */
    ATTRIBUTE_CONSTANT,           /* also flags */
    ATTRIBUTE_OFFSET,             /* into the section that the attribute's name implies */
    ATTRIBUTE_RANGES_INDEX,       /* into the offsets of .debug_rnglists */
    ATTRIBUTE_REFERENCE,          /* offset of an entry in .debug_info */
    ATTRIBUTE_STRING,             /* at this offset of .debug_info itself */
    ATTRIBUTE_STRING_OFFSET,      /* into .debug_str */
    ATTRIBUTE_LINE_STRING_OFFSET, /* into .debug_line_str */
    ATTRIBUTE_STRING_INDEX,       /* into .debug_str_offsets */
};

struct attribute {
    uint64_t number;
    enum attribute_class class;
};

/* How numbers are written in a unit, and where its tables start. */
struct encoding {
    uint64_t unit_offset;      /* of the unit's header: what references count from */
    uint64_t address_base;     /* of its part of .debug_addr */
    uint64_t str_offsets_base; /* of its part of .debug_str_offsets */
    uint64_t ranges_base;      /* of its part of .debug_rnglists, or GNU split's of .debug_ranges */
    uint64_t base_svma;        /* what its range lists count from */
    uint16_t version;          /* 2 to 5 */
    uint8_t address_bytes;     /* 1, 2, 4 or 8 */
    uint8_t offset_bytes;      /* 4, or 8 in 64-bit DWARF */
};

/* Reads one value. A form that is not known fails the cursor: where the next value starts is lost then. */
struct attribute attribute_read(struct bytes *cursor, const struct encoding *encoding,
                                const struct abbreviation_attribute *kind);

/* The text; empty when it is none or lies outside its section. Lives as long as the sections. */
struct slice attribute_string(const struct attribute *attribute, const struct encoding *encoding,
                              const struct debug_sections *sections);

/* Whether it is an address, directly or through .debug_addr; `svma` is then set. */
bool attribute_address(const struct attribute *attribute, const struct encoding *encoding,
                       const struct debug_sections *sections, uint64_t *svma);

#endif
