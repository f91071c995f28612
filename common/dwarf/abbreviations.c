#include "dwarf/abbreviations.h"

#include <dwarf.h>
#include <stdlib.h>

#include "base/search.h"

static uint16_t take_u16(struct bytes *cursor)
{
    uint64_t value = bytes_uleb128(cursor);

    if (value > UINT16_MAX)
        cursor->failed = true;
    return (uint16_t)value;
}

/* Files, lines and the like: what compilers keep in abbreviations is small and not negative. */
static uint32_t take_implicit(struct bytes *cursor)
{
    int64_t value = bytes_sleb128(cursor);

    return value >= 0 && value <= UINT32_MAX ? (uint32_t)value : 0;
}

static void find_extent(struct abbreviation_attribute *attribute)
{
    switch (attribute->form) {
    case DW_FORM_flag_present:
    case DW_FORM_implicit_const:
        break;
    case DW_FORM_data1:
    case DW_FORM_flag:
    case DW_FORM_ref1:
    case DW_FORM_strx1:
    case DW_FORM_addrx1:
        attribute->size.bytes = 1;
        break;
    case DW_FORM_data2:
    case DW_FORM_ref2:
        attribute->size.bytes = 2;
        break;
    case DW_FORM_data4:
    case DW_FORM_ref4:
        attribute->size.bytes = 4;
        break;
    case DW_FORM_data8:
    case DW_FORM_ref8:
        attribute->size.bytes = 8;
        break;
    case DW_FORM_addr:
        attribute->size.addresses = 1;
        break;
    case DW_FORM_strp:
    case DW_FORM_line_strp:
    case DW_FORM_sec_offset:
        attribute->size.offsets = 1;
        break;
    case DW_FORM_udata:
    case DW_FORM_ref_udata:
    case DW_FORM_strx:
    case DW_FORM_addrx:
        attribute->extent = VALUE_LEB128;
        break;
    case DW_FORM_exprloc:
    case DW_FORM_block:
        attribute->extent = VALUE_BLOCK;
        break;
    default:
        attribute->extent = VALUE_OTHER;
    }
}

static void add_attribute(struct abbreviation *item, const struct abbreviation_attribute *attribute)
{
    item->size.bytes += attribute->size.bytes;
    item->size.addresses += attribute->size.addresses;
    item->size.offsets += attribute->size.offsets;
    item->varies = item->varies || attribute->extent != VALUE_OF_SIZE;
    item->has_name = item->has_name || attribute->name == DW_AT_name;
    item->has_code = item->has_code || attribute->name == DW_AT_low_pc || attribute->name == DW_AT_ranges;
    item->attribute_count++;
}

static void parse_attributes(struct bytes *cursor, struct abbreviations *out, struct abbreviation *item)
{
    item->first_attribute = (uint32_t)out->attributes.count;
    while (!cursor->failed) {
        struct abbreviation_attribute attribute = {0};

        attribute.name = take_u16(cursor);
        attribute.form = take_u16(cursor);
        if (attribute.form == DW_FORM_implicit_const)
            attribute.implicit = take_implicit(cursor);
        if (attribute.name == 0 && attribute.form == 0)
            break;
        attribute.place = entry_attribute_of(attribute.name);
        find_extent(&attribute);
        *vec_add(&out->attributes) = attribute;
        add_attribute(item, &attribute);
    }
    item->varies = item->varies || item->attribute_count > UINT16_MAX;
}

static int compare_codes(const void *left, const void *right)
{
    const struct abbreviation *a = left;
    const struct abbreviation *b = right;

    if (a->code != b->code)
        return a->code < b->code ? -1 : 1;
    /* Attributes are in table order. */
    return a->first_attribute < b->first_attribute ? -1 : a->first_attribute > b->first_attribute;
}

bool abbreviations_parse(struct bytes *cursor, struct abbreviations *out)
{
    bool is_sorted = true;

    *out = (struct abbreviations){0};
    for (;;) {
        struct abbreviation item = {.code = bytes_uleb128(cursor)};

        if (cursor->failed || item.code == 0)
            break;
        item.tag = take_u16(cursor);
        item.has_children = bytes_u8(cursor) == DW_CHILDREN_yes;
        parse_attributes(cursor, out, &item);
        if (cursor->failed)
            break;
        is_sorted =
            is_sorted && (out->items.count == 0 || out->items.items[out->items.count - 1].code < item.code);
        *vec_add(&out->items) = item;
    }
    if (!is_sorted)
        vec_sort(&out->items, compare_codes);
    vec_trim(&out->items);
    vec_trim(&out->attributes);
    return !cursor->failed;
}

void abbreviations_done(struct abbreviations *table)
{
    vec_done(&table->items);
    vec_done(&table->attributes);
}

const struct abbreviation *abbreviations_find(const struct abbreviations *table, uint64_t code)
{
    size_t low = 0;

    if (code - 1 < table->items.count && table->items.items[code - 1].code == code)
        return &table->items.items[code - 1];
    low = SEARCH_FROM(table->items.items, table->items.count, code, code);
    return low < table->items.count && table->items.items[low].code == code ? &table->items.items[low] : NULL;
}
