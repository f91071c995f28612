/*
 * Split debug information: units whose entries stand in a .dwo file of their own, which the program names
 * (DWARF 5, §7.3.2, and GNU's form of it in DWARF 4).
 */
#ifndef DWARF_SPLIT_H
#define DWARF_SPLIT_H

#include "dwarf/units.h"

/* An open .dwo file and the one unit in it that was asked for. */
struct split_unit {
    struct image image;
    struct debug_sections sections;
    struct units units;
    uint32_t unit; /* index in `units` */
};

/*
 * Opens the .dwo file of `skeleton`, a unit of `units` that has a split_name, at that path or, where
 * the build's folder is gone, beside the file called `program`. The program's sections must outlive it.
 *
 * Returns 0 with `out` in place (it must not be moved: its units point into it), to be released with
 * split_unit_close; or -1 with ERROR_MISSING or ERROR_IO when the file is not there, which for packed
 * information (.dwp) says how to build instead, and ERROR_FORMAT when it is not the unit's.
 */
MUST_CHECK int split_unit_open(const struct units *units, const struct unit *skeleton, const char *program,
                               struct split_unit *out, struct error *err);

void split_unit_close(struct split_unit *split);

#endif
