/*
 * Abbreviation tables (DWARF 5, §7.5.3): what the entries of a unit look like. Parsed once and
 * then only read, so threads share them.
 */
#ifndef DWARF_ABBREVIATIONS_H
#define DWARF_ABBREVIATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/vec.h"
#include "dwarf/entry_attributes.h"

/* What values take: the sum of bytes, addresses and offsets. */
struct value_size {
    uint32_t bytes;
    uint16_t addresses;
    uint16_t offsets;
};

/* How a value is read over. */
enum value_extent {
    VALUE_OF_SIZE, /* all take the same */
    VALUE_LEB128,
    VALUE_BLOCK, /* LEB128, and so many bytes */
    VALUE_OTHER,
};

struct abbreviation_attribute {
    uint16_t name;     /* DW_AT_* */
    uint16_t form;     /* DW_FORM_* */
    uint32_t implicit; /* the value, of DW_FORM_implicit_const; 0 for one that does not fit */
    enum value_extent extent;
    struct value_size size;     /* 0 unless VALUE_OF_SIZE */
    enum entry_attribute place; /* of entry_attribute_of */
};

struct abbreviation {
    uint64_t code;
    uint32_t first_attribute; /* index into the table's attributes */
    uint32_t attribute_count;
    struct value_size size; /* what entries take behind their code, unless that varies */
    uint16_t tag;           /* DW_TAG_* */
    bool has_children;
    bool has_name; /* DW_AT_name */
    bool has_code; /* DW_AT_low_pc or DW_AT_ranges */
    bool varies;   /* what entries take is not the same for all */
};

struct abbreviations {
    VEC(struct abbreviation) items; /* by code */
    VEC(struct abbreviation_attribute) attributes;
};

/*
 * Parses the table that starts where `cursor` stands. Returns false when it is damaged:
 * cut short or with tags, names or forms that fit no 16 bits. To be released with
 * abbreviations_done in either case. Of two with one code the first counts.
 */
bool abbreviations_parse(struct bytes *cursor, struct abbreviations *out);

void abbreviations_done(struct abbreviations *table);

/* The abbreviation of that code, or NULL. O(1) for codes that count up from 1, else O(log n). */
const struct abbreviation *abbreviations_find(const struct abbreviations *table, uint64_t code);

#endif
