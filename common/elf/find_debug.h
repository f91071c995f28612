/*
 * Debug information that stands in a file of its own, as distributions ship it: found by build-id or by the
 * file's debug link, and taken only when it belongs to the file (GDB manual, "Separate Debug Files").
 */
#ifndef ELF_FIND_DEBUG_H
#define ELF_FIND_DEBUG_H

#include "base/text.h"
#include "elf/image.h"

/* Whether the file has DWARF of its own. */
bool find_debug_is_inside(const struct image *image);

/*
 * The name of its debug file that the file's debug link gives, without folders; empty where it gives none.
 * Borrowed from the image.
 */
struct slice find_debug_link_name(struct image *image);

/*
 * Opens the debug file of `image`: /usr/lib/debug/.build-id/ab/cdef....debug, then the debug link's name in
 * the folder where the image stands, in .debug/ there and in that folder below /usr/lib/debug, then what
 * debuginfod's clients have downloaded, which leave it in ~/.cache (debuginfod-client-config(7)), and what
 * perf keeps. Where the image stands below another root than ours, all but that is looked for there first. It
 * must have the same build-id or, where one of them has none, the checksum that the debug link gives.
 *
 * Returns 0 with `out`, which stands where the image does (its place is borrowed), to be closed by the
 * caller, or -1 with `out` untouched: ERROR_MISSING when there is none, saying where it was looked for;
 * ERROR_FORMAT when one was found that does not belong to the file or cannot be read.
 */
MUST_CHECK int find_debug_open(struct image *image, struct image *out, struct error *err);

/* Adds where that looks for what a debug link names, for people: "neither beside it, nor ...". */
void find_debug_add_places(const struct image *image, struct text *out);

#endif
