#include "dwarf/entry.h"

#include <dwarf.h>

/* Where an attribute is kept; ENTRY_ATTRIBUTE_COUNT for those that nobody here asks for. */
static enum entry_attribute place_of(uint16_t name)
{
    switch (name) {
    case DW_AT_abstract_origin:
        return ENTRY_ABSTRACT_ORIGIN;
    case DW_AT_addr_base:
    case DW_AT_GNU_addr_base:
        return ENTRY_ADDRESS_BASE;
    case DW_AT_call_file:
        return ENTRY_CALL_FILE;
    case DW_AT_call_line:
        return ENTRY_CALL_LINE;
    case DW_AT_comp_dir:
        return ENTRY_DIRECTORY;
    case DW_AT_high_pc:
        return ENTRY_HIGH_PC;
    case DW_AT_language:
        return ENTRY_LANGUAGE;
    case DW_AT_linkage_name:
    case DW_AT_MIPS_linkage_name:
        return ENTRY_LINKAGE_NAME;
    case DW_AT_low_pc:
        return ENTRY_LOW_PC;
    case DW_AT_name:
        return ENTRY_NAME;
    case DW_AT_ranges:
        return ENTRY_RANGES;
    case DW_AT_rnglists_base:
    case DW_AT_GNU_ranges_base:
        return ENTRY_RANGES_BASE;
    case DW_AT_specification:
        return ENTRY_SPECIFICATION;
    case DW_AT_GNU_dwo_id:
        return ENTRY_SPLIT_ID;
    case DW_AT_dwo_name:
    case DW_AT_GNU_dwo_name:
        return ENTRY_SPLIT_NAME;
    case DW_AT_stmt_list:
        return ENTRY_STATEMENTS;
    case DW_AT_str_offsets_base:
        return ENTRY_STR_OFFSETS_BASE;
    default:
        return ENTRY_ATTRIBUTE_COUNT;
    }
}

const struct abbreviation *entry_begin(struct bytes *cursor, const struct abbreviations *table)
{
    uint64_t code = bytes_uleb128(cursor);
    const struct abbreviation *abbreviation = NULL;

    if (code == 0 || cursor->failed)
        return NULL;
    abbreviation = abbreviations_find(table, code);
    if (!abbreviation)
        cursor->failed = true;
    return abbreviation;
}

static uint64_t bytes_of_size(struct value_size size, const struct encoding *encoding)
{
    return (uint64_t)size.bytes + (uint64_t)size.addresses * encoding->address_bytes +
           (uint64_t)size.offsets * encoding->offset_bytes;
}

void entry_skip(struct bytes *cursor, const struct encoding *encoding, const struct abbreviations *table,
                const struct abbreviation *abbreviation)
{
    const struct abbreviation_attribute *kinds = &table->attributes.items[abbreviation->first_attribute];

    if (!abbreviation->varies) {
        bytes_skip(cursor, bytes_of_size(abbreviation->size, encoding));
        return;
    }
    for (uint32_t i = 0; i < abbreviation->attribute_count && !cursor->failed; i++) {
        if (!kinds[i].varies)
            bytes_skip(cursor, bytes_of_size(kinds[i].size, encoding));
        else if (kinds[i].form == DW_FORM_exprloc) /* where variables are: half of what there is */
            bytes_skip(cursor, bytes_uleb128(cursor));
        else
            attribute_read(cursor, encoding, &kinds[i]);
    }
}

void entry_read(struct bytes *cursor, const struct encoding *encoding, const struct abbreviations *table,
                const struct abbreviation *abbreviation, struct entry *out)
{
    const uint32_t first = abbreviation->first_attribute;

    for (size_t i = 0; i < ENTRY_ATTRIBUTE_COUNT; i++)
        out->attributes[i] = (struct attribute){0};
    out->abbreviation = abbreviation;
    for (uint32_t i = 0; i < abbreviation->attribute_count && !cursor->failed; i++) {
        const struct abbreviation_attribute *kind = &table->attributes.items[first + i];
        struct attribute value = attribute_read(cursor, encoding, kind);
        enum entry_attribute place = place_of(kind->name);

        if (place != ENTRY_ATTRIBUTE_COUNT)
            out->attributes[place] = value;
    }
}

uint64_t entry_number(const struct entry *entry, enum entry_attribute which, uint64_t otherwise)
{
    const struct attribute *attribute = &entry->attributes[which];

    return attribute->class == ATTRIBUTE_CONSTANT || attribute->class == ATTRIBUTE_OFFSET ? attribute->number
                                                                                          : otherwise;
}
