#include "dwarf/units.h"

#include <dwarf.h>
#include <stdlib.h>

#include "base/search.h"
#include "dwarf/initial_length.h"
#include "dwarf/ranges.h"

/* While the units are read: where each abbreviation table already parsed starts. */
struct reader {
    struct units *units;
    VEC(uint64_t) table_offsets; /* of units->tables, rising as far as files are written in order */
    uint64_t table_bytes_left;   /* tables may overlap; hostile ones do, over and over */
    struct range_sink *sink;
};

/* The table at `offset`, parsed if it is not known yet; UINT32_MAX when it cannot be read. */
static uint32_t find_table(struct reader *reader, uint64_t offset)
{
    enum { MOST_LOOKED_BACK = 64 };
    struct bytes cursor = debug_sections_cursor(reader->units->sections, DEBUG_ABBREV, offset, UINT64_MAX);
    struct abbreviations table;
    size_t count = reader->table_offsets.count;
    uint64_t used_bytes = 0;
    bool is_whole = false;

    for (size_t back = 0; back < count && back < MOST_LOOKED_BACK; back++)
        if (reader->table_offsets.items[count - 1 - back] == offset)
            return (uint32_t)(count - 1 - back);
    if (cursor.failed || reader->table_bytes_left == 0)
        return UINT32_MAX;
    is_whole = abbreviations_parse(&cursor, &table);
    used_bytes = cursor.at - offset;
    reader->table_bytes_left -= used_bytes < reader->table_bytes_left ? used_bytes : reader->table_bytes_left;
    if (!is_whole) {
        abbreviations_done(&table);
        return UINT32_MAX;
    }
    *vec_add(&reader->units->tables) = table;
    *vec_add(&reader->table_offsets) = offset;
    return (uint32_t)count;
}

/* What a header says beside the fields of `struct unit`. */
struct header {
    uint64_t abbreviations_offset;
    uint8_t type; /* DW_UT_* */
};

static void read_header_fields(struct bytes *cursor, struct unit *unit, struct header *header)
{
    const unsigned offset_bytes = unit->encoding.offset_bytes;

    if (unit->encoding.version >= 5) {
        header->type = bytes_u8(cursor);
        unit->encoding.address_bytes = bytes_u8(cursor);
        header->abbreviations_offset = bytes_unsigned(cursor, offset_bytes);
    } else {
        header->type = DW_UT_compile;
        header->abbreviations_offset = bytes_unsigned(cursor, offset_bytes);
        unit->encoding.address_bytes = bytes_u8(cursor);
    }
    if (header->type == DW_UT_skeleton || header->type == DW_UT_split_compile)
        unit->split_id = bytes_u64(cursor);
    if (header->type == DW_UT_type || header->type == DW_UT_split_type) {
        bytes_u64(cursor); /* signature */
        bytes_unsigned(cursor, offset_bytes);
    }
}

static bool is_supported(const struct encoding *encoding)
{
    const uint8_t width = encoding->address_bytes;

    return encoding->version >= 2 && encoding->version <= 5 &&
           (width == 1 || width == 2 || width == 4 || width == 8);
}

/*
 * The header of the unit at the cursor, which then stands at its first entry (DWARF 5, §7.5.1).
 * Leaves `end_offset` 0 when not even the length can be read.
 */
static bool read_header(struct bytes *cursor, uint64_t section_bytes, struct unit *unit,
                        struct header *header)
{
    uint64_t length = 0;

    unit->encoding.unit_offset = cursor->at;
    if (!initial_length_take(cursor, &length, &unit->encoding.offset_bytes) ||
        length > section_bytes - cursor->at)
        return false;
    unit->end_offset = cursor->at + length;
    unit->encoding.version = bytes_u16(cursor);
    if (cursor->failed || unit->encoding.version < 2 || unit->encoding.version > 5)
        return false;
    read_header_fields(cursor, unit, header);
    unit->entries_offset = cursor->at;
    return !cursor->failed && is_supported(&unit->encoding) && cursor->at <= unit->end_offset;
}

/* In split files the tables have one header each and no attribute that says so (DWARF 5, §7.26 to §7.29). */
static void set_split_bases(struct unit *unit)
{
    const bool is_wide = unit->encoding.offset_bytes == 8;

    if (unit->encoding.version < 5)
        return;
    unit->encoding.str_offsets_base = is_wide ? 16 : 8;
    unit->encoding.ranges_base = is_wide ? 20 : 12;
}

/* A string of the unit's own entry; one that stands in .debug_info is copied, as that will be given back. */
static struct slice lasting_string(const struct attribute *attribute, const struct encoding *encoding,
                                   const struct debug_sections *sections, struct arena *arena)
{
    struct slice text = attribute_string(attribute, encoding, sections);

    if (attribute->class != ATTRIBUTE_STRING || text.length == 0)
        return text;
    return arena_slice(arena, text);
}

void units_read_names(struct units *units, uint32_t unit)
{
    struct unit *item = &units->items.items[unit];

    if (item->stored_name.class == ATTRIBUTE_NONE && item->stored_directory.class == ATTRIBUTE_NONE)
        return;
    item->name = lasting_string(&item->stored_name, &item->encoding, units->sections, &units->arena);
    item->directory =
        lasting_string(&item->stored_directory, &item->encoding, units->sections, &units->arena);
    item->stored_name = item->stored_directory = (struct attribute){0};
}

static void take_attributes(struct unit *unit, const struct entry *entry,
                            const struct debug_sections *sections, struct arena *arena)
{
    struct encoding *encoding = &unit->encoding;

    /* The bases come first: the strings and addresses may need them. */
    encoding->str_offsets_base = entry_number(entry, ENTRY_STR_OFFSETS_BASE, encoding->str_offsets_base);
    encoding->address_base = entry_number(entry, ENTRY_ADDRESS_BASE, encoding->address_base);
    encoding->ranges_base = entry_number(entry, ENTRY_RANGES_BASE, encoding->ranges_base);
    unit->line_offset = entry_number(entry, ENTRY_STATEMENTS, UNIT_NO_OFFSET);
    unit->split_id = entry_number(entry, ENTRY_SPLIT_ID, unit->split_id);
    unit->language = (uint16_t)entry_number(entry, ENTRY_LANGUAGE, 0);
    unit->stored_name = entry->attributes[ENTRY_NAME];
    unit->stored_directory = entry->attributes[ENTRY_DIRECTORY];
    unit->split_name = lasting_string(&entry->attributes[ENTRY_SPLIT_NAME], encoding, sections, arena);
    attribute_address(&entry->attributes[ENTRY_LOW_PC], encoding, sections, &encoding->base_svma);
}

/* Reads the unit's own entry. GNU's ranges base is of its split unit's lists, not of its own. */
static bool read_first_entry(struct reader *reader, struct bytes *cursor, struct unit *unit, uint32_t id)
{
    const struct debug_sections *sections = reader->units->sections;
    const struct abbreviations *table = &reader->units->tables.items[unit->table];
    const struct abbreviation *abbreviation = entry_begin(cursor, table);
    struct encoding own;
    struct entry entry;

    if (!abbreviation)
        return false;
    if (sections->is_split)
        set_split_bases(unit);
    entry_read(cursor, &unit->encoding, table, abbreviation, unit->entries_offset, &entry);
    if (cursor->failed || cursor->at > unit->end_offset)
        return false;
    take_attributes(unit, &entry, sections, &reader->units->arena);
    own = unit->encoding;
    if (own.version < 5)
        own.ranges_base = 0;
    return ranges_add(reader->sink, &entry, &own, sections, id);
}

/* What is read of a unit at first: a header and most units' own entries take less. */
enum { START_BYTES = 512 };

/*
 * One unit from its first `start_bytes` on; false when its own entry cannot be read from so many. A unit that
 * is of no use has no table.
 */
static bool read_start(struct reader *reader, uint64_t offset, uint64_t start_bytes, struct unit *unit)
{
    const struct debug_sections *sections = reader->units->sections;
    struct bytes cursor = debug_sections_cursor(sections, DEBUG_INFO, offset, start_bytes);
    struct header header = {0};

    *unit = (struct unit){.line_offset = UNIT_NO_OFFSET, .table = UINT32_MAX};
    if (!read_header(&cursor, sections->data[DEBUG_INFO].length, unit, &header))
        return false;
    if (header.type == DW_UT_type || header.type == DW_UT_split_type)
        return true;
    unit->abbreviations_offset = header.abbreviations_offset;
    unit->table = find_table(reader, header.abbreviations_offset);
    return unit->table != UINT32_MAX &&
           read_first_entry(reader, &cursor, unit, (uint32_t)reader->units->items.count);
}

/* One unit, and where the next begins, or UINT64_MAX when nothing tells. */
static uint64_t read_unit(struct reader *reader, uint64_t offset)
{
    struct units *units = reader->units;
    struct unit unit;
    bool is_read = read_start(reader, offset, START_BYTES, &unit);

    if (!is_read && unit.end_offset > offset + START_BYTES)
        is_read = read_start(reader, offset, unit.end_offset - offset, &unit);
    if (unit.table != UINT32_MAX)
        *vec_add(&units->items) = unit;
    units->damaged_count += !is_read;
    return unit.end_offset > offset ? unit.end_offset : UINT64_MAX;
}

void units_read(const struct debug_sections *sections, struct units *out)
{
    enum { OVERLAPS = 4 };
    const struct slice *data = sections->data;
    struct range_sink sink = {.steps_left = data[DEBUG_RANGES].length + data[DEBUG_RNGLISTS].length};
    struct reader reader = {
        .units = out, .table_bytes_left = data[DEBUG_ABBREV].length * OVERLAPS, .sink = &sink};

    *out = (struct units){.sections = sections};
    for (uint64_t offset = 0; offset < data[DEBUG_INFO].length;)
        offset = read_unit(&reader, offset);
    for (size_t i = 0; sections->extent == DEBUG_WHOLE && i < out->items.count; i++)
        units_read_names(out, (uint32_t)i);
    out->rows = intervals_flatten(sink.intervals.items, sink.intervals.count);
    vec_done(&sink.intervals);
    vec_done(&reader.table_offsets);
}

void units_close(struct units *units)
{
    for (size_t i = 0; i < units->tables.count; i++)
        abbreviations_done(&units->tables.items[i]);
    vec_done(&units->tables);
    vec_done(&units->items);
    intervals_done(&units->rows);
    arena_done(&units->arena);
}

uint32_t units_find(const struct units *units, uint64_t svma)
{
    return intervals_find(&units->rows, svma);
}

/* How many units begin at or before the offset. */
static size_t units_up_to(const struct units *units, uint64_t offset)
{
    return SEARCH_AFTER(units->items.items, units->items.count, encoding.unit_offset, offset);
}

uint32_t units_find_entry(const struct units *units, uint64_t offset)
{
    size_t count = units_up_to(units, offset);

    if (count == 0 || offset < units->items.items[count - 1].entries_offset ||
        offset >= units->items.items[count - 1].end_offset)
        return UNIT_NONE;
    return (uint32_t)(count - 1);
}

uint32_t units_find_header(const struct units *units, uint64_t offset)
{
    size_t count = units_up_to(units, offset);

    if (count == 0 || units->items.items[count - 1].encoding.unit_offset != offset)
        return UNIT_NONE;
    return (uint32_t)(count - 1);
}

/* What stands between the root file and the codegen unit in rustc's names. */
static const struct slice codegen_mark = SLICE("/@/");

struct slice unit_root(const struct unit *unit)
{
    return slice_range(unit->name, 0, slice_find(unit->name, codegen_mark));
}

void unit_add_root_path(const struct unit *unit, struct text *path)
{
    struct slice root = unit_root(unit);

    if (!slice_starts_with(root, SLICE("/")) && unit->directory.length > 0) {
        text_add(path, unit->directory);
        text_add_string(path, slice_ends_with(unit->directory, SLICE("/")) ? "" : "/");
    }
    text_add(path, root);
}

struct slice unit_codegen_unit(const struct unit *unit)
{
    size_t at = slice_find(unit->name, codegen_mark);

    return slice_range(unit->name, at + codegen_mark.length, unit->name.length);
}

struct slice unit_crate(const struct unit *unit)
{
    struct slice codegen_unit = unit_codegen_unit(unit);

    return slice_range(codegen_unit, 0, slice_find_byte(codegen_unit, '.'));
}
