/*
 * Packed split debug information: a .dwp file, in whose sections the .dwo files of a program stand one behind
 * the other, with an index that tells which part of each is whose (DWARF 5, §7.3.5; in DWARF 4 GNU's form of
 * it: https://gcc.gnu.org/wiki/DebugFissionDWP).
 */
#ifndef DWARF_PACKAGE_H
#define DWARF_PACKAGE_H

#include "dwarf/debug_sections.h"

/* An open .dwp file; not to be moved. To be released with package_close. */
struct package {
    struct image image;
    struct debug_sections sections; /* of all units */
    struct slice index;             /* of compile units; empty: the file has none */
    char *owned_index;              /* NULL where `index` is the image's */
    uint32_t column_count;          /* a column a section that units have a part of, */
    uint32_t row_count;             /* a row a unit */
    uint32_t slot_count;            /* of the hash table of units; a power of two, or 0 */
    uint32_t version;               /* of the index: 2 is GNU's, 5 that of DWARF 5 */
};

/*
 * Opens the file and reads of it as much as `extent` says. Returns 0, or -1 with the failures of image_open
 * and debug_sections_read, and ERROR_FORMAT when the index is damaged or of a version that is not known;
 * `out` needs no package_close then.
 */
MUST_CHECK int package_open(const char *path, enum debug_extent extent, struct package *out,
                            struct error *err);

void package_close(struct package *package);

/*
 * Gives the sections of the unit with that id, as its .dwo file had them; they are the package's, must not
 * outlive it, and need no debug_sections_done. May be called by several threads at once. False when the
 * package does not have the unit, or its parts cannot be read or end past their section.
 */
bool package_find(const struct package *package, uint64_t split_id, struct debug_sections *out);

#endif
