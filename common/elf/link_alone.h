/*
 * Objects are not linked yet: all their sections stand at address 0, and what refers to something is left
 * open. Linked alone, in memory, an object can be read as linked files are: each loaded section gets
 * addresses of its own, and code, data, unwind tables and debug information get what relocations say as far
 * as the object itself has it. Slots that a linker would make are passed over: code refers to the symbol
 * itself.
 */
#ifndef ELF_LINK_ALONE_H
#define ELF_LINK_ALONE_H

#include "elf/image.h"

/*
 * Links an object (ET_REL) whose sections and symbols nobody has looked at yet; what is linked is left as it
 * is. The file does not change. Sections that could not be settled, because they are compressed or have
 * relocations of kinds that are not known for the machine, are marked (image_is_settled). Instructions of
 * x86-64 are settled; of other machines the relocations say themselves what code refers to.
 *
 * Returns 0, or -1 with ERROR_IO when the file cannot be read. The time is linear in the file.
 */
MUST_CHECK int link_alone(struct image *image, struct error *err);

#endif
