/*
 * Where a recording keeps its packed samples while it goes on: a file without a name, which is gone when we
 * are, however we end.
 */
#ifndef PROFILE_BLOCK_FILE_H
#define PROFILE_BLOCK_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/slice.h"
#include "base/text.h"

struct block_file; /* opaque */

/*
 * In the first of the folders that lets a file without a name be made; NULL ends the list. Returns 0, or -1
 * with ERROR_IO naming the last of them. `out` is to be given to block_file_close.
 */
MUST_CHECK int block_file_open(const char *const *folders, struct block_file **out, struct error *err);

/* NULL is let pass. */
void block_file_close(struct block_file *file);

/*
 * Appends `bytes` and says where they are. False when they cannot be written, most often as the disk is full;
 * then and from then on nothing is, and what was before can still be read.
 */
bool block_file_add(struct block_file *file, struct slice bytes, uint64_t *offset);

/* Appends `length` bytes from `offset` to `out`; false, with `out` as it was, when they cannot be read. */
bool block_file_read(const struct block_file *file, uint64_t offset, size_t length, struct text *out);

/* Why nothing is written any more ("No space left on device"); NULL while all is well. */
const char *block_file_failure(const struct block_file *file);

#endif
