/*
 * Split debug information: units whose entries stand in a .dwo file of their own, which the program names
 * (DWARF 5, §7.3.2, and GNU's form of it in DWARF 4), or in one package with all others.
 */
#ifndef DWARF_SPLIT_H
#define DWARF_SPLIT_H

#include "dwarf/package.h"
#include "dwarf/units.h"

/* An open .dwo file, or the part of a package that is as one, and the one unit in it that was asked for. */
struct split_unit {
    struct image image; /* of a .dwo file; else not open */
    struct debug_sections sections;
    bool is_packed; /* `sections` are the package's */
    struct units units;
    uint32_t unit; /* index in `units` */
};

/*
 * Opens what `skeleton` leaves out, a unit of `units` that has a split_name: in the package, where there is
 * one (else NULL) that has it, or the .dwo file at that path, below the root that `program` was found below
 * or ours, or, where the build's folder is gone, beside the program or its separate debug file. The program's
 * sections and the package must outlive it.
 *
 * Returns 0 with `out` in place (it must not be moved: its units point into it), to be released with
 * split_unit_close; or -1 with ERROR_MISSING or ERROR_IO when there is no such file, and ERROR_FORMAT when
 * what there is is not the unit's.
 */
MUST_CHECK int split_unit_open(const struct units *units, const struct unit *skeleton,
                               const struct file_place *program, const struct package *package,
                               struct split_unit *out, struct error *err);

void split_unit_close(struct split_unit *split);

#endif
