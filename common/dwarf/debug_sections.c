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

static int read_section(struct image *image, const struct section *section, struct debug_sections *sections,
                        struct error *err)
{
    struct slice name = plain_name(section->name, sections->is_split);

    for (size_t i = 0; i < DEBUG_SECTION_COUNT; i++)
        if (name.length > 0 && slice_equal(name, names[i]) && sections->data[i].length == 0)
            return compression_read(image, section, &sections->data[i], &sections->owned[i], err);
    return 0;
}

int debug_sections_read(struct image *image, struct debug_sections *out, struct error *err)
{
    struct debug_sections sections = {
        .big_endian = image->big_endian,
        .code = sections_code_bounds(&image->sections),
        .is_split = sections_find(&image->sections, SLICE(".debug_info.dwo")) != NULL,
    };

    for (size_t i = 0; i < image->sections.count; i++) {
        if (read_section(image, &image->sections.items[i], &sections, err) < 0) {
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
        free(sections->owned[i]);
    *sections = (struct debug_sections){0};
}

struct bytes debug_sections_cursor(const struct debug_sections *sections, enum debug_section which)
{
    return bytes_of(sections->data[which], sections->big_endian);
}
