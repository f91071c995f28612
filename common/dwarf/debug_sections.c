#include "dwarf/debug_sections.h"

#include <stdlib.h>

#include "elf/compression.h"

/* What stands behind ".debug_" and GNU's ".zdebug_". */
static const struct slice names[DEBUG_SECTION_COUNT] = {
    [DEBUG_ABBREV] = SLICE("abbrev"),
    [DEBUG_ADDR] = SLICE("addr"),
    [DEBUG_INFO] = SLICE("info"),
    [DEBUG_LINE] = SLICE("line"),
    [DEBUG_LINE_STR] = SLICE("line_str"),
    [DEBUG_RANGES] = SLICE("ranges"),
    [DEBUG_RNGLISTS] = SLICE("rnglists"),
    [DEBUG_STR] = SLICE("str"),
    [DEBUG_STR_OFFSETS] = SLICE("str_offsets"),
};

/* Those where single places are asked for and that are large: the rest is small or soon given back. */
static const bool may_be_in_parts[DEBUG_SECTION_COUNT] = {
    [DEBUG_INFO] = true,     [DEBUG_LINE] = true, [DEBUG_RANGES] = true,
    [DEBUG_RNGLISTS] = true, [DEBUG_STR] = true,
};

/* "info" for ".debug_info", ".zdebug_info" and, in split files, ".debug_info.dwo"; else empty. */
static struct slice plain_name(struct slice name, bool is_split)
{
    static const struct slice starts[] = {SLICE(".debug_"), SLICE(".zdebug_")};
    const struct slice end = SLICE(".dwo");

    if (slice_ends_with(name, end) != is_split)
        return (struct slice){0};
    if (is_split)
        name = slice_range(name, 0, name.length - end.length);
    for (size_t i = 0; i < ARRAY_COUNT(starts); i++)
        if (slice_starts_with(name, starts[i]))
            return slice_range(name, starts[i].length, name.length);
    return (struct slice){0};
}

/* Notes where the section is, if it is one of these and the first of that name. */
static void find_section(const struct section *section, struct debug_sections *sections)
{
    struct slice name = plain_name(section->name, sections->is_split);

    for (size_t i = 0; i < DEBUG_SECTION_COUNT; i++)
        if (name.length > 0 && slice_equal(name, names[i]) && section->file_bytes > 0 && !sections->stored[i])
            sections->stored[i] = section;
}

static int read_section(struct debug_sections *sections, enum debug_section which, struct error *err)
{
    const struct section *stored = sections->stored[which];

    if (!stored)
        return 0;
    if (sections->extent == DEBUG_PARTS && may_be_in_parts[which] &&
        section_parts_can_be(sections->image, stored)) {
        sections->parts[which] = section_parts_open(sections->image, stored);
        sections->data[which] = section_parts_bytes(sections->parts[which]);
        return 0;
    }
    return compression_read(sections->image, stored, &sections->data[which], &sections->owned[which], err);
}

void debug_sections_release(struct debug_sections *sections, enum debug_section which)
{
    free(sections->owned[which]);
    sections->owned[which] = NULL;
    if (sections->extent == DEBUG_PARTS)
        section_parts_close(sections->parts[which]);
    sections->parts[which] = NULL;
    sections->data[which] = (struct slice){0};
    if (sections->stored[which])
        image_release_section(sections->image, sections->stored[which]);
}

int debug_sections_read(struct image *image, enum debug_extent extent, struct debug_sections *out,
                        struct error *err)
{
    struct debug_sections sections = {
        .big_endian = image->big_endian,
        .code = sections_code_bounds(&image->sections),
        .image = image,
        .extent = extent,
        .is_split = sections_find(&image->sections, SLICE(".debug_info.dwo")) != NULL,
    };

    for (size_t i = 0; i < image->sections.count; i++)
        find_section(&image->sections.items[i], &sections);
    for (size_t i = 0; i < DEBUG_SECTION_COUNT; i++) {
        if (i != DEBUG_LINE && read_section(&sections, i, err) < 0) {
            debug_sections_done(&sections);
            return -1;
        }
    }
    *out = sections;
    return 0;
}

void debug_sections_done(struct debug_sections *sections)
{
    for (size_t i = 0; i < DEBUG_SECTION_COUNT; i++)
        debug_sections_release(sections, i);
    *sections = (struct debug_sections){0};
}

int debug_sections_read_lines(struct debug_sections *sections, struct error *err)
{
    return sections->data[DEBUG_LINE].length > 0 ? 0 : read_section(sections, DEBUG_LINE, err);
}

struct bytes debug_sections_cursor(const struct debug_sections *sections, enum debug_section which,
                                   uint64_t offset, uint64_t length)
{
    struct bytes cursor = bytes_of(sections->data[which], sections->big_endian);

    bytes_seek(&cursor, offset);
    cursor.all.length = cursor.at;
    if (!cursor.failed)
        debug_sections_extend(sections, which, &cursor, length);
    return cursor;
}

void debug_sections_extend(const struct debug_sections *sections, enum debug_section which,
                           struct bytes *cursor, uint64_t length)
{
    uint64_t left = sections->data[which].length - cursor->at;
    uint64_t reached = length < left ? length : left;

    if (cursor->at + reached <= cursor->all.length)
        return;
    if (sections->parts[which] && !section_parts_read(sections->parts[which], cursor->at, reached))
        cursor->failed = true;
    else
        cursor->all.length = cursor->at + reached;
}

struct slice debug_sections_string(const struct debug_sections *sections, enum debug_section which,
                                   uint64_t offset)
{
    struct section_parts *parts = sections->parts[which];
    struct bytes cursor = {0};
    struct slice string = {0};

    if (!parts) {
        cursor = debug_sections_cursor(sections, which, offset, UINT64_MAX);
        return bytes_string(&cursor);
    }
    if (which == DEBUG_STR)
        return section_parts_copy_string(parts, offset, &string) ? string : (struct slice){0};
    return section_parts_string(parts, offset, &string) ? string : (struct slice){0};
}
