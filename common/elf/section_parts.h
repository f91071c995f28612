/*
 * A section of which only the parts that are asked for are read: debug information of a large program, of
 * which a profile needs some functions'. Offsets are those of the section, and what was read stays where it
 * is, so slices of it may be kept.
 */
#ifndef ELF_SECTION_PARTS_H
#define ELF_SECTION_PARTS_H

#include "elf/image.h"

struct section_parts; /* opaque */

/* Whether the section is one that can be read so: stored as it is, and in a file rather than in memory. */
bool section_parts_can_be(const struct image *image, const struct section *section);

/* Nothing is read yet. `image` must outlive the result, which is owned and to be closed. */
struct section_parts *section_parts_open(const struct image *image, const struct section *section);

void section_parts_close(struct section_parts *parts);

/* All of the section, of which only the parts that were read may be looked at. */
struct slice section_parts_bytes(const struct section_parts *parts);

/*
 * Reads `length` bytes at `offset`, as far as the section has them, unless they are there. False when the
 * file could not be read or has become shorter. May be called by several threads at once.
 */
bool section_parts_read(struct section_parts *parts, uint64_t offset, uint64_t length);

/*
 * The string at `offset`, which lives as long as the parts. False, with `out` untouched, when it does not end
 * within the section or cannot be read. May be called by several threads.
 */
bool section_parts_string(struct section_parts *parts, uint64_t offset, struct slice *out);

/* The same for strings that lie far apart: a short one is copied, as each would keep a page. */
bool section_parts_copy_string(struct section_parts *parts, uint64_t offset, struct slice *out);

#endif
