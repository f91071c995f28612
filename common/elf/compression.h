/*
 * Sections that are stored compressed: SHF_COMPRESSED (gABI, "Section Compression") with zlib or zstd,
 * and the older ".zdebug_*" of GNU tools. The two libraries are loaded when first needed.
 */
#ifndef ELF_COMPRESSION_H
#define ELF_COMPRESSION_H

#include "elf/image.h"

/* Whether the section's bytes need compression_read to be of use. */
bool compression_is_used(const struct section *section);

/*
 * Gives the section's content: borrowed from the image when it is not compressed (`*owned` is then NULL),
 * else in fresh memory that the caller frees through `*owned`.
 *
 * Returns 0, or -1, with nothing changed: ERROR_FORMAT when the content is damaged, of
 * another compression, or said to be larger than so few bytes can hold, or than debug information can be in
 * them where it, with what was read of the image before, would fill memory; ERROR_MISSING when the library is
 * not installed; ERROR_IO when the file cannot be read.
 */
MUST_CHECK int compression_read(struct image *image, const struct section *section, struct slice *content,
                                char **owned, struct error *err);

#endif
