/*
 * Bytes in memory: packed and unpacked with zstd (RFC 8878), packed with gzip (RFC 1952) and unpacked with xz
 * (The .xz File Format 1.1.0). The libraries are loaded when first used. base/unpacker.h unpacks files.
 */
#ifndef BASE_PACKING_H
#define BASE_PACKING_H

#include "base/error.h"
#include "base/slice.h"
#include "base/text.h"

/* zstd's own scale: what programs take that nobody told otherwise. */
enum { PACKING_USUAL_LEVEL = 3 };

/* Loads zstd. Returns 0, or -1 with ERROR_MISSING. What else uses zstd here does it too. */
MUST_CHECK int packing_load_zstd(struct error *err);

/* Appends one zstd frame that holds `content`. Returns 0, or -1 with ERROR_MISSING. */
MUST_CHECK int packing_zstd(struct text *packed, struct slice content, int level, struct error *err);

/*
 * Unpacks zstd frames to exactly `length` bytes at `content`. False when they hold anything else, or are
 * damaged. After packing_load_zstd, also from several threads at once.
 */
bool packing_unpack_zstd(struct slice packed, char *content, size_t length);

/* The same of what packing_gzip takes. */
MUST_CHECK int packing_load_gzip(struct error *err);

/* Appends `content` as a gzip file. Returns 0, or -1 with ERROR_MISSING. */
MUST_CHECK int packing_gzip(struct text *packed, struct slice content, struct error *err);

/*
 * Appends what an xz file holds, `most_bytes` at most. Returns 0, or -1 with ERROR_FORMAT when it is damaged
 * or holds more, ERROR_MISSING without the library; `content` is untouched then.
 */
MUST_CHECK int packing_unpack_xz(struct slice packed, size_t most_bytes, struct text *content,
                                 struct error *err);

#endif
