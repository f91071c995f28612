#include "dwarf/debug_uses.h"

#include <dwarf.h>

void debug_uses_done(struct debug_uses *uses)
{
    vec_done(&uses->strings.items);
    vec_done(&uses->line_strings.items);
    vec_done(&uses->ranges.items);
    vec_done(&uses->locations.items);
}

static void add(struct debug_use_list *list, uint64_t offset, uint32_t unit)
{
    const struct debug_use *last = list->items.count > 0 ? &list->items.items[list->items.count - 1] : NULL;

    if (!last || last->offset != offset || last->unit != unit)
        *vec_add(&list->items) = (struct debug_use){offset, unit};
}

/* Which list an offset that the attribute has is one of; NULL for those of other sections. */
static struct debug_use_list *list_of(struct debug_uses *uses, uint16_t name)
{
    switch (name) {
    case DW_AT_ranges:
    case DW_AT_start_scope:
    case DW_AT_rnglists_base:
        return &uses->ranges;
    case DW_AT_stmt_list:
    case DW_AT_macro_info:
    case DW_AT_macros:
    case DW_AT_GNU_macros:
    case DW_AT_addr_base:
    case DW_AT_GNU_addr_base:
    case DW_AT_GNU_ranges_base:
    case DW_AT_str_offsets_base:
        return NULL;
    default:
        return &uses->locations;
    }
}

/* Up to DWARF 3 offsets were written as constants are. */
static bool is_offset(const struct attribute *attribute, const struct abbreviation_attribute *kind,
                      uint16_t version)
{
    if (attribute->class == ATTRIBUTE_OFFSET)
        return true;
    return version < 4 && (kind->form == DW_FORM_data4 || kind->form == DW_FORM_data8) &&
           (kind->name == DW_AT_ranges || kind->name == DW_AT_location || kind->name == DW_AT_frame_base);
}

static void take(struct debug_uses *uses, const struct attribute *attribute,
                 const struct abbreviation_attribute *kind, uint16_t version, uint32_t unit)
{
    struct debug_use_list *list = NULL;

    if (attribute->class == ATTRIBUTE_STRING_OFFSET)
        list = &uses->strings;
    else if (attribute->class == ATTRIBUTE_LINE_STRING_OFFSET)
        list = &uses->line_strings;
    else if (is_offset(attribute, kind, version))
        list = list_of(uses, kind->name);
    if (list)
        add(list, attribute->number, unit);
}

static void read_unit(const struct units *units, uint32_t number, struct bytes *cursor,
                      struct debug_uses *uses)
{
    const struct unit *unit = &units->items.items[number];
    const struct abbreviations *table = &units->tables.items[unit->table];

    bytes_seek(cursor, unit->entries_offset);
    while (!cursor->failed && cursor->at < unit->end_offset) {
        const struct abbreviation *abbreviation = entry_begin(cursor, table);

        for (uint32_t i = 0; abbreviation && i < abbreviation->attribute_count && !cursor->failed; i++) {
            const struct abbreviation_attribute *kind =
                &table->attributes.items[abbreviation->first_attribute + i];
            struct attribute value = attribute_read(cursor, &unit->encoding, kind);

            if (!cursor->failed)
                take(uses, &value, kind, unit->encoding.version, number);
        }
    }
}

void debug_uses_find(const struct units *units, struct slice info, struct debug_uses *out)
{
    for (uint32_t i = 0; i < units->items.count; i++) {
        struct bytes cursor = bytes_of(info, units->sections->big_endian);

        read_unit(units, i, &cursor, out);
    }
}
