#include "dwarf/package.h"

#include <stdlib.h>

#include "elf/compression.h"

enum {
    HEADER_BYTES = 16,
    GNU_VERSION = 2,
    DWARF_VERSION = 5,
    MOST_COLUMNS = 16,  /* one for each kind of section, of which there are fewer */
    MOST_PROBES = 4096, /* a third of the table is free, so that a few do */
};

/* The section of which a column with that number tells parts (DWARF 5, §7.3.5.3; GNU's first ones are the
 * same); DEBUG_SECTION_COUNT for those that are not read. */
static enum debug_section section_of_column(uint32_t version, uint32_t number)
{
    switch (number) {
    case 1:
        return DEBUG_INFO;
    case 3:
        return DEBUG_ABBREV;
    case 6:
        return DEBUG_STR_OFFSETS;
    case 8:
        return version == GNU_VERSION ? DEBUG_SECTION_COUNT : DEBUG_RNGLISTS;
    default:
        return DEBUG_SECTION_COUNT;
    }
}

static struct bytes index_cursor(const struct package *package, uint64_t offset)
{
    struct bytes cursor = bytes_of(package->index, package->image.big_endian);

    bytes_seek(&cursor, offset);
    return cursor;
}

/* Where the parts of the index begin: rows' numbers by slot, the columns' sections, then offsets and lengths
 * by row and column. */
static uint64_t rows_at(const struct package *package)
{
    return HEADER_BYTES + (uint64_t)package->slot_count * 8;
}

static uint64_t columns_at(const struct package *package)
{
    return rows_at(package) + (uint64_t)package->slot_count * 4;
}

static uint64_t offsets_at(const struct package *package)
{
    return columns_at(package) + (uint64_t)package->column_count * 4;
}

static uint64_t lengths_at(const struct package *package)
{
    return offsets_at(package) + (uint64_t)package->row_count * package->column_count * 4;
}

static uint64_t index_end(const struct package *package)
{
    return lengths_at(package) + (uint64_t)package->row_count * package->column_count * 4;
}

/* The version has four bytes in GNU's form; in DWARF's two, and two that are zero. */
static bool read_header(struct package *package)
{
    struct bytes cursor = index_cursor(package, 0);
    bool is_of_gnu = bytes_u32(&cursor) == GNU_VERSION;

    bytes_seek(&cursor, 0);
    package->version = is_of_gnu ? bytes_u32(&cursor) : bytes_u16(&cursor);
    bytes_seek(&cursor, 4);
    package->column_count = bytes_u32(&cursor);
    package->row_count = bytes_u32(&cursor);
    package->slot_count = bytes_u32(&cursor);
    return !cursor.failed && (package->version == GNU_VERSION || package->version == DWARF_VERSION) &&
           package->column_count <= MOST_COLUMNS && (package->slot_count & (package->slot_count - 1)) == 0 &&
           index_end(package) <= package->index.length;
}

static int read_index(struct package *package, struct error *err)
{
    const struct section *stored = sections_find(&package->image.sections, SLICE(".debug_cu_index"));

    if (!stored)
        return 0;
    if (compression_read(&package->image, stored, &package->index, &package->owned_index, err) < 0)
        return -1;
    if (package->index.length == 0 || read_header(package))
        return 0;
    return error_set(err, ERROR_FORMAT,
                     "%s: its index of units is damaged, or of a version that is not known",
                     package->image.name);
}

int package_open(const char *path, enum debug_extent extent, struct package *out, struct error *err)
{
    *out = (struct package){0};
    if (image_open(path, &out->image, err) < 0)
        return -1;
    if (debug_sections_read(&out->image, extent, &out->sections, err) < 0) {
        image_close(&out->image);
        return -1;
    }
    if (read_index(out, err) < 0) {
        package_close(out);
        return -1;
    }
    return 0;
}

void package_close(struct package *package)
{
    free(package->owned_index);
    debug_sections_done(&package->sections);
    image_close(&package->image);
}

/* The row of the unit, from 0; UINT32_MAX when there is none. The table is an open one of the ids, which are
 * random already: the low half tells where to begin, the high one how far to go on each time. */
static uint32_t find_row(const struct package *package, uint64_t split_id)
{
    const uint64_t mask = package->slot_count - 1;
    const uint64_t step = (split_id >> 32 & mask) | 1;

    for (uint64_t i = 0; i < package->slot_count && i < MOST_PROBES; i++) {
        uint64_t slot = (split_id + i * step) & mask;
        struct bytes ids = index_cursor(package, HEADER_BYTES + slot * 8);
        struct bytes rows = index_cursor(package, rows_at(package) + slot * 4);
        uint32_t row = bytes_u32(&rows);

        if (row == 0)
            break;
        if (bytes_u64(&ids) == split_id)
            return row <= package->row_count ? row - 1 : UINT32_MAX;
    }
    return UINT32_MAX;
}

static bool take_part(const struct package *package, enum debug_section which, uint64_t offset,
                      uint64_t length, struct debug_sections *out)
{
    const struct debug_sections *all = &package->sections;

    if (offset > all->data[which].length || length > all->data[which].length - offset)
        return false;
    if (all->parts[which] && !section_parts_read(all->parts[which], offset, length))
        return false;
    out->data[which] = slice_range(all->data[which], offset, offset + length);
    return true;
}

bool package_find(const struct package *package, uint64_t split_id, struct debug_sections *out)
{
    const uint32_t row = find_row(package, split_id);
    const uint64_t before = (uint64_t)row * package->column_count * 4;
    struct bytes columns = index_cursor(package, columns_at(package));
    struct bytes offsets = index_cursor(package, offsets_at(package) + before);
    struct bytes lengths = index_cursor(package, lengths_at(package) + before);

    if (row == UINT32_MAX)
        return false;
    *out = (struct debug_sections){
        .big_endian = package->image.big_endian, .extent = DEBUG_WHOLE, .is_split = true};
    /* Strings are those of all units. */
    out->data[DEBUG_STR] = package->sections.data[DEBUG_STR];
    out->parts[DEBUG_STR] = package->sections.parts[DEBUG_STR];
    for (uint32_t i = 0; i < package->column_count; i++) {
        enum debug_section which = section_of_column(package->version, bytes_u32(&columns));
        uint64_t offset = bytes_u32(&offsets);
        uint64_t length = bytes_u32(&lengths);

        if (which != DEBUG_SECTION_COUNT && !take_part(package, which, offset, length, out))
            return false;
    }
    return true;
}
