/*
 * What the entries of each unit refer to in sections that all units of a file share: strings, lists of ranges
 * and of locations.
 */
#ifndef DWARF_DEBUG_USES_H
#define DWARF_DEBUG_USES_H

#include "dwarf/units.h"

/* One unit's reference to an offset in a section. */
struct debug_use {
    uint64_t offset;
    uint32_t unit; /* index in the units */
};

/* Zero-initialised is empty. By unit; what one entry after the other refers to is there once. */
struct debug_use_list {
    VEC(struct debug_use) items;
};

struct debug_uses {
    struct debug_use_list strings;      /* of .debug_str */
    struct debug_use_list line_strings; /* of .debug_line_str */
    struct debug_use_list ranges; /* of .debug_rnglists for units of DWARF 5, of .debug_ranges for others */
    struct debug_use_list locations; /* likewise of .debug_loclists and .debug_loc */
};

/*
 * Reads all entries of all units in `info`, the bytes of .debug_info. What is damaged ends its unit. Strings
 * that go by an index are left out: the unit's table in .debug_str_offsets has them. To be released with
 * debug_uses_done. The time is linear in the bytes.
 */
void debug_uses_find(const struct units *units, struct slice info, struct debug_uses *out);

void debug_uses_done(struct debug_uses *uses);

#endif
