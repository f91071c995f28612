#include "dwarf/ranges.h"

#include <dwarf.h>

/* A list is read by pieces of so many bytes, of which an entry takes at most the smaller number. */
enum { PIECE_BYTES = 1024, MOST_ENTRY_BYTES = 32 };

/* One list while it is read. */
struct list {
    struct bytes cursor;
    enum debug_section section;
    const struct encoding *encoding;
    const struct debug_sections *sections;
    struct range_sink *sink;
    uint64_t base; /* what offsets in it count from */
    uint32_t id;
};

static bool is_wanted(const struct range_sink *sink, uint64_t start, uint64_t end)
{
    return !sink->wanted || places_are_within(sink->wanted, start, end);
}

static void add_range(struct list *list, uint64_t start, uint64_t end)
{
    if (!list->cursor.failed && code_bounds_hold(&list->sections->code, start, end) &&
        end - start <= UINT32_MAX && is_wanted(list->sink, start, end))
        *vec_add(&list->sink->intervals) = (struct interval){start, (uint32_t)(end - start), list->id};
}

static bool may_step(struct list *list)
{
    if (list->sink->steps_left == 0 || list->cursor.failed)
        return false;
    list->sink->steps_left--;
    if (bytes_left(&list->cursor) < MOST_ENTRY_BYTES)
        debug_sections_extend(list->sections, list->section, &list->cursor, PIECE_BYTES);
    return true;
}

/* Pairs of offsets from the base; the largest address announces another base, two zeros are the end. */
static bool read_old_list(struct list *list)
{
    const unsigned width = list->encoding->address_bytes;
    const uint64_t new_base = width == 8 ? UINT64_MAX : ((uint64_t)1 << 8 * width) - 1;

    while (may_step(list)) {
        uint64_t start = bytes_unsigned(&list->cursor, width);
        uint64_t end = bytes_unsigned(&list->cursor, width);

        if (list->cursor.failed)
            return false;
        if (start == 0 && end == 0)
            return true;
        if (start == new_base)
            list->base = end;
        else
            add_range(list, list->base + start, list->base + end);
    }
    return false;
}

static uint64_t take_address(struct list *list)
{
    return bytes_unsigned(&list->cursor, list->encoding->address_bytes);
}

static uint64_t take_indexed_address(struct list *list)
{
    struct attribute index = {bytes_uleb128(&list->cursor), ATTRIBUTE_ADDRESS_INDEX};
    uint64_t svma = 0;

    if (!attribute_address(&index, list->encoding, list->sections, &svma))
        list->cursor.failed = true;
    return svma;
}

/* One entry of a DWARF 5 list; false at its end and when it is damaged. */
static bool read_list_entry(struct list *list, uint8_t kind)
{
    uint64_t start = 0;

    switch (kind) {
    case DW_RLE_base_addressx:
        list->base = take_indexed_address(list);
        return true;
    case DW_RLE_startx_endx:
        start = take_indexed_address(list);
        add_range(list, start, take_indexed_address(list));
        return true;
    case DW_RLE_startx_length:
        start = take_indexed_address(list);
        add_range(list, start, start + bytes_uleb128(&list->cursor));
        return true;
    case DW_RLE_offset_pair:
        start = bytes_uleb128(&list->cursor);
        add_range(list, list->base + start, list->base + bytes_uleb128(&list->cursor));
        return true;
    case DW_RLE_base_address:
        list->base = take_address(list);
        return true;
    case DW_RLE_start_end:
        start = take_address(list);
        add_range(list, start, take_address(list));
        return true;
    case DW_RLE_start_length:
        start = take_address(list);
        add_range(list, start, start + bytes_uleb128(&list->cursor));
        return true;
    default:
        if (kind != DW_RLE_end_of_list)
            list->cursor.failed = true;
        return false;
    }
}

static bool read_new_list(struct list *list)
{
    while (may_step(list))
        if (!read_list_entry(list, bytes_u8(&list->cursor)))
            return !list->cursor.failed;
    return false;
}

/* An index counts in a table of offsets, which count from the table itself. */
static uint64_t list_offset(const struct attribute *ranges, const struct encoding *encoding,
                            const struct debug_sections *sections)
{
    struct bytes table;
    uint64_t at = 0;

    if (ranges->class != ATTRIBUTE_RANGES_INDEX)
        return ranges->number;
    if (__builtin_mul_overflow(ranges->number, encoding->offset_bytes, &at) ||
        __builtin_add_overflow(at, encoding->ranges_base, &at))
        return UINT64_MAX;
    table = debug_sections_cursor(sections, DEBUG_RNGLISTS, at, encoding->offset_bytes);
    at = bytes_unsigned(&table, encoding->offset_bytes);
    return table.failed ? UINT64_MAX : encoding->ranges_base + at;
}

static bool add_list(struct list *list, const struct attribute *ranges)
{
    uint64_t offset = list_offset(ranges, list->encoding, list->sections);
    bool is_new = list->encoding->version >= 5;

    list->section = is_new ? DEBUG_RNGLISTS : DEBUG_RANGES;
    offset += is_new ? 0 : list->encoding->ranges_base;
    list->cursor = debug_sections_cursor(list->sections, list->section, offset, PIECE_BYTES);
    return is_new ? read_new_list(list) : read_old_list(list);
}

bool ranges_add(struct range_sink *sink, const struct entry *entry, const struct encoding *encoding,
                const struct debug_sections *sections, uint32_t id)
{
    const struct attribute *ranges = &entry->attributes[ENTRY_RANGES];
    const struct attribute *high = &entry->attributes[ENTRY_HIGH_PC];
    struct list list = {.encoding = encoding, .sections = sections, .sink = sink, .id = id};
    uint64_t start = 0;
    uint64_t end = 0;

    list.base = encoding->base_svma;
    /* DWARF 2 and 3 write the offset of a list as a plain number. */
    if (ranges->class == ATTRIBUTE_OFFSET || ranges->class == ATTRIBUTE_RANGES_INDEX ||
        (ranges->class == ATTRIBUTE_CONSTANT && encoding->version < 4))
        return add_list(&list, ranges);
    if (!attribute_address(&entry->attributes[ENTRY_LOW_PC], encoding, sections, &start))
        return true;
    if (high->class == ATTRIBUTE_CONSTANT)
        end = start + high->number;
    else if (!attribute_address(high, encoding, sections, &end))
        return true;
    add_range(&list, start, end);
    return true;
}
