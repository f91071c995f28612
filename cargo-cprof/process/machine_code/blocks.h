/*
 * Code of a file, of which a few bytes are asked for at a time, near many places again and again: before
 * return addresses, around where code without call frame information was sampled. Blocks that were read are
 * kept, at most 4 MiB of a file.
 */
#ifndef PROCESS_MACHINE_CODE_BLOCKS_H
#define PROCESS_MACHINE_CODE_BLOCKS_H

#include "elf/image.h"

struct code_blocks; /* opaque */

struct code_blocks *code_blocks_new(void);

/* NULL is let pass. */
void code_blocks_free(struct code_blocks *blocks);

/*
 * Reads so many bytes of this file, always the same one, at `offset` into `out`. False when it has not so
 * many or cannot be read.
 */
bool code_blocks_read(struct code_blocks *blocks, const struct image *image, uint64_t offset, size_t length,
                      char *out);

#endif
