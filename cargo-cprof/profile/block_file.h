/*
 * Where a recording keeps its samples while it goes on, block after block: packed, in a file without a name,
 * which is gone when we are, however we end. A thread of its own packs and writes, as a disk may keep a
 * writer waiting for longer than the kernel's rings last. What cannot be written stays in memory.
 */
#ifndef PROFILE_BLOCK_FILE_H
#define PROFILE_BLOCK_FILE_H

#include <stdbool.h>

#include "base/error.h"
#include "base/text.h"

struct block_file; /* opaque */

/*
 * In the first of the folders that lets a file without a name be made; NULL ends the list. Returns 0, or -1
 * with ERROR_IO naming the last of them. `out` is to be given to block_file_close.
 */
MUST_CHECK int block_file_open(const char *const *folders, struct block_file **out, struct error *err);

/* NULL is let pass. */
void block_file_close(struct block_file *file);

/* Takes `content` over, which is then empty, and gives its number: blocks are counted from 0. */
size_t block_file_add(struct block_file *file, struct text *content);

/*
 * A block as chunks_pack packs it, or as it was added where zstd is not installed; read into `scratch`, which
 * is cleared, or in memory that lives as long as the file. Waits until it is written. False when it cannot be
 * read.
 */
bool block_file_read(struct block_file *file, size_t number, struct text *scratch, struct slice *stored);

/* Why blocks are in memory ("No space left on device"); NULL when none is. Waits until all are written. */
const char *block_file_failure(struct block_file *file);

#endif
