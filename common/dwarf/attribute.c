#include "dwarf/attribute.h"

#include <dwarf.h>

static struct attribute skip(struct bytes *cursor, uint64_t length)
{
    bytes_skip(cursor, length);
    return (struct attribute){0};
}

static struct attribute of_class(enum attribute_class class, uint64_t number)
{
    return (struct attribute){number, class};
}

/* Three bytes: DW_FORM_strx3 and addrx3. */
static uint64_t take_u24(struct bytes *cursor)
{
    uint64_t first = bytes_u8(cursor);
    uint64_t second = bytes_u8(cursor);
    uint64_t third = bytes_u8(cursor);

    return cursor->big_endian ? first << 16 | second << 8 | third : third << 16 | second << 8 | first;
}

static struct attribute read_string_form(struct bytes *cursor, const struct encoding *encoding, uint16_t form)
{
    uint64_t start = cursor->at;

    switch (form) {
    case DW_FORM_string:
        bytes_string(cursor);
        return of_class(ATTRIBUTE_STRING, start);
    case DW_FORM_strp:
        return of_class(ATTRIBUTE_STRING_OFFSET, bytes_unsigned(cursor, encoding->offset_bytes));
    case DW_FORM_line_strp:
        return of_class(ATTRIBUTE_LINE_STRING_OFFSET, bytes_unsigned(cursor, encoding->offset_bytes));
    case DW_FORM_strx:
    case DW_FORM_GNU_str_index:
        return of_class(ATTRIBUTE_STRING_INDEX, bytes_uleb128(cursor));
    case DW_FORM_strx1:
        return of_class(ATTRIBUTE_STRING_INDEX, bytes_u8(cursor));
    case DW_FORM_strx2:
        return of_class(ATTRIBUTE_STRING_INDEX, bytes_u16(cursor));
    case DW_FORM_strx3:
        return of_class(ATTRIBUTE_STRING_INDEX, take_u24(cursor));
    case DW_FORM_strx4:
        return of_class(ATTRIBUTE_STRING_INDEX, bytes_u32(cursor));
    default:
        cursor->failed = true;
        return of_class(ATTRIBUTE_NONE, 0);
    }
}

/* References into other files' debug information are read over: those files are not here. */
static struct attribute read_reference_form(struct bytes *cursor, const struct encoding *encoding,
                                            uint16_t form)
{
    const uint64_t unit = encoding->unit_offset;

    switch (form) {
    case DW_FORM_ref1:
        return of_class(ATTRIBUTE_REFERENCE, unit + bytes_u8(cursor));
    case DW_FORM_ref2:
        return of_class(ATTRIBUTE_REFERENCE, unit + bytes_u16(cursor));
    case DW_FORM_ref8:
        return of_class(ATTRIBUTE_REFERENCE, unit + bytes_u64(cursor));
    case DW_FORM_ref_udata:
        return of_class(ATTRIBUTE_REFERENCE, unit + bytes_uleb128(cursor));
    case DW_FORM_ref_addr:
        /* Up to DWARF 2 it was as wide as an address. */
        return of_class(ATTRIBUTE_REFERENCE,
                        bytes_unsigned(cursor, encoding->version == 2 ? encoding->address_bytes
                                                                      : encoding->offset_bytes));
    case DW_FORM_ref_sup4:
        return skip(cursor, 4);
    case DW_FORM_ref_sup8:
    case DW_FORM_ref_sig8:
        return skip(cursor, 8);
    case DW_FORM_strp_sup:
    case DW_FORM_GNU_ref_alt:
    case DW_FORM_GNU_strp_alt:
        return skip(cursor, encoding->offset_bytes);
    default:
        return read_string_form(cursor, encoding, form);
    }
}

static struct attribute read_address_form(struct bytes *cursor, const struct encoding *encoding,
                                          uint16_t form)
{
    switch (form) {
    case DW_FORM_addrx:
    case DW_FORM_GNU_addr_index:
        return of_class(ATTRIBUTE_ADDRESS_INDEX, bytes_uleb128(cursor));
    case DW_FORM_addrx1:
        return of_class(ATTRIBUTE_ADDRESS_INDEX, bytes_u8(cursor));
    case DW_FORM_addrx2:
        return of_class(ATTRIBUTE_ADDRESS_INDEX, bytes_u16(cursor));
    case DW_FORM_addrx3:
        return of_class(ATTRIBUTE_ADDRESS_INDEX, take_u24(cursor));
    case DW_FORM_addrx4:
        return of_class(ATTRIBUTE_ADDRESS_INDEX, bytes_u32(cursor));
    case DW_FORM_rnglistx:
        return of_class(ATTRIBUTE_RANGES_INDEX, bytes_uleb128(cursor));
    case DW_FORM_loclistx:
        bytes_uleb128(cursor);
        return of_class(ATTRIBUTE_NONE, 0);
    default:
        return read_reference_form(cursor, encoding, form);
    }
}

static struct attribute read_block_form(struct bytes *cursor, const struct encoding *encoding, uint16_t form)
{
    switch (form) {
    case DW_FORM_block1:
        return skip(cursor, bytes_u8(cursor));
    case DW_FORM_block2:
        return skip(cursor, bytes_u16(cursor));
    case DW_FORM_block4:
        return skip(cursor, bytes_u32(cursor));
    case DW_FORM_block:
    case DW_FORM_exprloc:
        return skip(cursor, bytes_uleb128(cursor));
    case DW_FORM_data16:
        return skip(cursor, 16);
    default:
        return read_address_form(cursor, encoding, form);
    }
}

struct attribute attribute_read(struct bytes *cursor, const struct encoding *encoding,
                                const struct abbreviation_attribute *kind)
{
    uint64_t form = kind->form;

    if (form == DW_FORM_indirect) {
        form = bytes_uleb128(cursor);
        if (form == DW_FORM_indirect || form == DW_FORM_implicit_const || form > UINT16_MAX)
            cursor->failed = true;
    }
    /* Inlined calls, of which there are most, have these. */
    switch (form) {
    case DW_FORM_addr:
        return of_class(ATTRIBUTE_ADDRESS, bytes_unsigned(cursor, encoding->address_bytes));
    case DW_FORM_ref4:
        return of_class(ATTRIBUTE_REFERENCE, encoding->unit_offset + bytes_u32(cursor));
    case DW_FORM_data1:
    case DW_FORM_flag:
        return of_class(ATTRIBUTE_CONSTANT, bytes_u8(cursor));
    case DW_FORM_data2:
        return of_class(ATTRIBUTE_CONSTANT, bytes_u16(cursor));
    case DW_FORM_data4:
        return of_class(ATTRIBUTE_CONSTANT, bytes_u32(cursor));
    case DW_FORM_data8:
        return of_class(ATTRIBUTE_CONSTANT, bytes_u64(cursor));
    case DW_FORM_udata:
        return of_class(ATTRIBUTE_CONSTANT, bytes_uleb128(cursor));
    case DW_FORM_sdata:
        return of_class(ATTRIBUTE_CONSTANT, (uint64_t)bytes_sleb128(cursor));
    case DW_FORM_flag_present:
        return of_class(ATTRIBUTE_CONSTANT, 1);
    case DW_FORM_implicit_const:
        return of_class(ATTRIBUTE_CONSTANT, kind->implicit);
    case DW_FORM_sec_offset:
        return of_class(ATTRIBUTE_OFFSET, bytes_unsigned(cursor, encoding->offset_bytes));
    default:
        return read_block_form(cursor, encoding, (uint16_t)form);
    }
}

/* A cursor at entry `index` of a table. */
static struct bytes entry_cursor(const struct debug_sections *sections, enum debug_section which,
                                 uint64_t base, uint64_t index, uint64_t entry_bytes)
{
    uint64_t offset = 0;

    if (__builtin_mul_overflow(index, entry_bytes, &offset) || __builtin_add_overflow(offset, base, &offset))
        offset = UINT64_MAX;
    return debug_sections_cursor(sections, which, offset, entry_bytes);
}

struct slice attribute_string(const struct attribute *attribute, const struct encoding *encoding,
                              const struct debug_sections *sections)
{
    struct bytes offsets;
    uint64_t offset = 0;

    switch (attribute->class) {
    case ATTRIBUTE_STRING:
        return debug_sections_string(sections, DEBUG_INFO, attribute->number);
    case ATTRIBUTE_LINE_STRING_OFFSET:
        return debug_sections_string(sections, DEBUG_LINE_STR, attribute->number);
    case ATTRIBUTE_STRING_OFFSET:
        return debug_sections_string(sections, DEBUG_STR, attribute->number);
    case ATTRIBUTE_STRING_INDEX:
        offsets = entry_cursor(sections, DEBUG_STR_OFFSETS, encoding->str_offsets_base, attribute->number,
                               encoding->offset_bytes);
        offset = bytes_unsigned(&offsets, encoding->offset_bytes);
        return offsets.failed ? (struct slice){0} : debug_sections_string(sections, DEBUG_STR, offset);
    default:
        return (struct slice){0};
    }
}

bool attribute_address(const struct attribute *attribute, const struct encoding *encoding,
                       const struct debug_sections *sections, uint64_t *svma)
{
    struct bytes cursor;
    uint64_t found = 0;

    if (attribute->class == ATTRIBUTE_ADDRESS) {
        *svma = attribute->number;
        return true;
    }
    if (attribute->class != ATTRIBUTE_ADDRESS_INDEX)
        return false;
    cursor = entry_cursor(sections, DEBUG_ADDR, encoding->address_base, attribute->number,
                          encoding->address_bytes);
    found = bytes_unsigned(&cursor, encoding->address_bytes);
    if (cursor.failed)
        return false;
    *svma = found;
    return true;
}
