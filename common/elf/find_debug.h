/*
 * Debug information that stands in a file of its own, as distributions ship it: found by build-id or by the
 * file's debug link, and taken only when it belongs to the file (GDB manual, "Separate Debug Files").
 */
#ifndef ELF_FIND_DEBUG_H
#define ELF_FIND_DEBUG_H

#include "elf/image.h"

/* Where distributions install debug files. */
#define FIND_DEBUG_ROOT "/usr/lib/debug"

/* Whether the file has DWARF of its own. */
bool find_debug_is_inside(const struct image *image);

/*
 * The name of its debug file that the file's debug link gives, without folders; empty where it gives none.
 * Borrowed from the image.
 */
struct slice find_debug_link_name(struct image *image);

/*
 * Opens the debug file of `image`: ROOT/.build-id/ab/cdef….debug, then the debug link's name in the file's
 * folder, in .debug/ there and in that folder under ROOT. It must have the same build-id or, where one of
 * them has none, the checksum that the debug link gives.
 *
 * Returns 0 with `out`, whose program the image is, to be closed by the caller, or -1 with `out` untouched:
 * ERROR_MISSING when there is none, saying where it was looked for; ERROR_FORMAT when one was found that does
 * not belong to the file or cannot be read.
 */
MUST_CHECK int find_debug_open(struct image *image, const char *root, struct image *out, struct error *err);

#endif
