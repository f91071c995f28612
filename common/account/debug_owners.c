#include "account/debug_owners.h"

#include "account/table_claims.h"
#include "dwarf/initial_length.h"
#include "elf/compression.h"

void debug_owners_done(struct debug_owners *owners)
{
    debug_uses_done(&owners->uses);
}

static int read_plain(struct image *image, struct slice name, struct slice *out, struct error *err)
{
    const struct section *section = sections_find(&image->sections, name);

    if (!section || compression_is_used(section))
        return 0;
    return image_read_section(image, section, out, err);
}

int debug_owners_prepare(struct debug_owners *owners, const struct account_request *request,
                         struct error *err)
{
    struct slice info = {0};

    owners->request = request;
    if (!request->units)
        return 0;
    if (read_plain(request->image, SLICE(".debug_info"), &info, err) < 0 ||
        read_plain(request->image, SLICE(".debug_str_offsets"), &owners->str_offsets, err) < 0)
        return -1;
    debug_uses_find(request->units, info, &owners->uses);
    return 0;
}

/* One section while its owners are found. */
struct finding {
    struct debug_owners *owners;
    struct slice data;
    struct claims claims;
    struct owned_bytes *out;
};

static uint32_t owner_of(const struct finding *finding, uint32_t unit)
{
    const struct account_request *request = finding->owners->request;

    return owner_of_group(request->space, request->group_of_unit_number[unit]);
}

static struct bytes cursor_of(const struct finding *finding, struct slice data)
{
    return image_cursor(finding->owners->request->image, data);
}

static void finish(struct finding *finding)
{
    claims_take(&finding->claims, finding->owners->request->space, finding->out);
}

/* What is claimed goes on up to the next place that is. */
static void finish_open(struct finding *finding)
{
    struct claims *claims = &finding->claims;

    claims_settle(finding->owners->request->space, claims);
    for (size_t i = 0; i < claims->items.count; i++)
        claims->items.items[i].size_bytes =
            (i + 1 < claims->items.count ? claims->items.items[i + 1].offset : finding->data.length) -
            claims->items.items[i].offset;
    finish(finding);
}

static void claim(struct finding *finding, uint64_t offset, uint64_t size_bytes, uint32_t unit)
{
    if (offset < finding->data.length)
        claims_add(&finding->claims, offset, size_bytes, owner_of(finding, unit));
}

/* --- Parts of one unit -------------------------------------------------------------------- */

static void own_entries(struct finding *finding)
{
    const struct units *units = finding->owners->request->units;

    for (uint32_t i = 0; i < units->items.count; i++)
        claim(finding, units->items.items[i].encoding.unit_offset,
              units->items.items[i].end_offset - units->items.items[i].encoding.unit_offset, i);
    finish(finding);
}

static void own_abbreviations(struct finding *finding)
{
    const struct units *units = finding->owners->request->units;

    for (uint32_t i = 0; i < units->items.count; i++)
        claim(finding, units->items.items[i].abbreviations_offset, 0, i);
    finish_open(finding);
}

/* The table that begins with its length at this offset. */
static void claim_table(struct finding *finding, uint64_t offset, uint32_t unit)
{
    struct bytes cursor = cursor_of(finding, finding->data);
    uint64_t length = 0;
    uint8_t offset_bytes = 0;

    bytes_seek(&cursor, offset);
    if (!cursor.failed && initial_length_read(&cursor, &length, &offset_bytes))
        claim(finding, offset, cursor.at - offset + length, unit);
}

static void own_lines(struct finding *finding)
{
    const struct units *units = finding->owners->request->units;

    for (uint32_t i = 0; i < units->items.count; i++)
        claim_table(finding, units->items.items[i].line_offset, i);
    finish(finding);
}

/* Units know where the entries of their tables start: behind a header of 8 bytes, or 16 in 64-bit DWARF. */
static uint64_t table_before(const struct encoding *encoding, uint64_t base)
{
    unsigned header_bytes = encoding->offset_bytes == 8 ? 16 : 8;

    return encoding->version >= 5 && base >= header_bytes ? base - header_bytes : UINT64_MAX;
}

static void own_addresses(struct finding *finding)
{
    const struct units *units = finding->owners->request->units;

    for (uint32_t i = 0; i < units->items.count; i++)
        claim_table(
            finding,
            table_before(&units->items.items[i].encoding, units->items.items[i].encoding.address_base), i);
    finish(finding);
}

static void own_string_offsets(struct finding *finding)
{
    const struct units *units = finding->owners->request->units;

    for (uint32_t i = 0; i < units->items.count; i++)
        claim_table(
            finding,
            table_before(&units->items.items[i].encoding, units->items.items[i].encoding.str_offsets_base),
            i);
    finish(finding);
}

/* Tables that say at their start which unit they are about: length, version, the unit's offset. */
static void own_indexes(struct finding *finding)
{
    const struct units *units = finding->owners->request->units;
    struct bytes cursor = cursor_of(finding, finding->data);
    uint64_t start = 0;
    uint64_t length = 0;
    uint8_t offset_bytes = 0;

    for (; bytes_left(&cursor) > 0 && initial_length_read(&cursor, &length, &offset_bytes);
         start = cursor.at) {
        uint64_t end = cursor.at + length;
        uint32_t unit = UNIT_NONE;

        bytes_u16(&cursor);
        unit = units_find_header(units, bytes_unsigned(&cursor, offset_bytes));
        if (!cursor.failed && unit != UNIT_NONE)
            claim(finding, start, end - start, unit);
        cursor.failed = false;
        bytes_seek(&cursor, end);
    }
    finish(finding);
}

/* --- What units share --------------------------------------------------------------------- */

/* Lists of units of these versions; each goes on up to the next one. */
static void own_lists(struct finding *finding, const struct debug_use_list *uses)
{
    const struct units *units = finding->owners->request->units;

    for (size_t i = 0; i < uses->items.count; i++)
        if (units->items.items[uses->items.items[i].unit].encoding.version < 5)
            claim(finding, uses->items.items[i].offset, 0, uses->items.items[i].unit);
    finish_open(finding);
}

/* Where tables that hold many lists start and end, as far as their lengths lead. */
static struct interval_rows map_tables(const struct finding *finding)
{
    struct owned_bytes tables = {0};
    struct bytes cursor = cursor_of(finding, finding->data);
    uint64_t start = 0;
    uint64_t length = 0;
    uint8_t offset_bytes = 0;
    struct interval_rows rows;

    for (; bytes_left(&cursor) > 0 && initial_length_read(&cursor, &length, &offset_bytes);
         start = cursor.at) {
        bytes_seek(&cursor, cursor.at + length);
        owned_bytes_add(&tables, start, cursor.at - start, (uint32_t)tables.items.count);
    }
    rows = intervals_flatten(tables.items.items, tables.items.count);
    vec_done(&tables.items);
    return rows;
}

/* DWARF 5: a table is of the unit that refers into it. */
static void own_list_tables(struct finding *finding, const struct debug_use_list *uses)
{
    const struct units *units = finding->owners->request->units;
    SCOPED(intervals_done) struct interval_rows tables = map_tables(finding);

    for (size_t i = 0; i < uses->items.count; i++) {
        const struct debug_use *use = &uses->items.items[i];
        /* Whatever is referred to has its table's header before it, and may be the table's end. */
        size_t after = use->offset > 0 ? intervals_after(&tables, use->offset - 1) : 0;

        if (units->items.items[use->unit].encoding.version >= 5 && after > 0 && after < tables.count &&
            tables.items[after - 1].id != INTERVAL_NONE)
            claim(finding, tables.items[after - 1].start,
                  tables.items[after].start - tables.items[after - 1].start, use->unit);
    }
    finish(finding);
}

/*
 * The strings that a unit's table has, whichever of them its entries name. Tables of damaged files may
 * overlap: no more entries are read than there are.
 */
static void claim_table_of_strings(struct finding *finding, uint32_t number, uint64_t *bytes_left_over)
{
    const struct encoding *encoding = &finding->owners->request->units->items.items[number].encoding;
    struct bytes cursor = cursor_of(finding, finding->owners->str_offsets);
    uint64_t length = 0;
    uint64_t end = 0;
    uint8_t offset_bytes = 0;

    bytes_seek(&cursor, table_before(encoding, encoding->str_offsets_base));
    if (cursor.failed || !initial_length_read(&cursor, &length, &offset_bytes) || length > *bytes_left_over)
        return;
    *bytes_left_over -= length;
    end = cursor.at + length;
    bytes_seek(&cursor, encoding->str_offsets_base);
    while (!cursor.failed && cursor.at < end)
        claim(finding, bytes_unsigned(&cursor, offset_bytes), 0, number);
}

static void own_strings(struct finding *finding, const struct debug_use_list *uses, bool has_tables)
{
    const struct units *units = finding->owners->request->units;
    uint64_t bytes_left_over = finding->owners->str_offsets.length;

    for (size_t i = 0; i < uses->items.count; i++)
        claim(finding, uses->items.items[i].offset, 0, uses->items.items[i].unit);
    for (uint32_t i = 0; has_tables && i < units->items.count; i++)
        claim_table_of_strings(finding, i, &bytes_left_over);
    claims_take_strings(&finding->claims, finding->owners->request->space, finding->data, finding->out);
}

void debug_owners_of_section(struct debug_owners *owners, const struct section *section, struct slice data,
                             struct owned_bytes *out)
{
    const struct slice start = SLICE(".debug_");
    struct slice name = slice_range(section->name, start.length, section->name.length);
    struct finding finding = {.owners = owners, .data = data, .out = out};

    if (!owners->request->units || !slice_starts_with(section->name, start) || compression_is_used(section))
        return;
    if (slice_is(name, "info"))
        own_entries(&finding);
    else if (slice_is(name, "abbrev"))
        own_abbreviations(&finding);
    else if (slice_is(name, "line"))
        own_lines(&finding);
    else if (slice_is(name, "addr"))
        own_addresses(&finding);
    else if (slice_is(name, "str_offsets"))
        own_string_offsets(&finding);
    else if (slice_is(name, "str"))
        own_strings(&finding, &owners->uses.strings, true);
    else if (slice_is(name, "line_str"))
        own_strings(&finding, &owners->uses.line_strings, false);
    else if (slice_is(name, "ranges"))
        own_lists(&finding, &owners->uses.ranges);
    else if (slice_is(name, "loc"))
        own_lists(&finding, &owners->uses.locations);
    else if (slice_is(name, "rnglists"))
        own_list_tables(&finding, &owners->uses.ranges);
    else if (slice_is(name, "loclists"))
        own_list_tables(&finding, &owners->uses.locations);
    else if (slice_is(name, "aranges") || slice_ends_with(name, SLICE("pubnames")) ||
             slice_ends_with(name, SLICE("pubtypes")))
        own_indexes(&finding);
}
