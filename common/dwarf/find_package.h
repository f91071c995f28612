/* Where the package of a program's split debug information is: beside it, or where the build has left it. */
#ifndef DWARF_FIND_PACKAGE_H
#define DWARF_FIND_PACKAGE_H

#include "dwarf/package.h"
#include "dwarf/units.h"

/*
 * Opens the package of a program, of which `units` are: PLACE.dwp beside it (or NAME.dwp beside its separate
 * debug file, if there is one) and, where it is a
 * link, beside what that leads to, as gdb has it; then where rustc leaves it, beside the .dwo files that it
 * was made of, under the name that those of the program have in common: one that was installed has left it
 * there, below the root that the program was found below, else below ours. One beside it that has none of the
 * units is taken where there is no other: it tells what is wrong.
 *
 * Returns what is to be released with package_close and free(), or NULL where there is none; `err` says then
 * why one that is there could not be opened, or its kind is ERROR_NONE.
 */
struct package *find_package(const struct file_place *program, struct units *units, enum debug_extent extent,
                             struct error *err);

#endif
