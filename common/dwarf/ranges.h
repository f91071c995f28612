/*
 * The code that an entry covers: one range, or a list in .debug_ranges (DWARF 4, §2.17.3) or
 * .debug_rnglists (DWARF 5, §7.25).
 */
#ifndef DWARF_RANGES_H
#define DWARF_RANGES_H

#include "base/intervals.h"
#include "base/places.h"
#include "dwarf/entry.h"

/* Where ranges go to. */
struct range_sink {
    VEC(struct interval) intervals;
    const struct places *wanted; /* ranges without any of these are left out; NULL: all are added */
    uint64_t steps_left; /* list entries that may still be read: lists may be shared, and hostile ones are */
};

/*
 * Adds what `entry` covers as intervals of that `id`. Ranges that cannot be code of the file are left out,
 * and those that nobody asked for.
 * Returns false when a list is damaged or no steps are left; what was read before then stays.
 */
bool ranges_add(struct range_sink *sink, const struct entry *entry, const struct encoding *encoding,
                const struct debug_sections *sections, uint32_t id);

#endif
