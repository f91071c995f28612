/*
 * What files are packed with: gzip (RFC 1952), zstd (RFC 8878) and xz (The .xz File Format 1.1.0), several
 * behind each other too, unpacked as far as there is room for it. The libraries are loaded when first used.
 */
#ifndef BASE_UNPACKER_H
#define BASE_UNPACKER_H

#include "base/error.h"
#include "base/slice.h"

struct unpacker; /* opaque */

/* What a file that begins so is packed with: "gzip", "zstd", "xz"; NULL: with none of them. */
const char *unpacker_kind(struct slice start);

/*
 * Returns 0 and what is to be given to unpacker_close, or -1 with ERROR_MISSING without the library. `start`
 * is that of a file which unpacker_kind knows.
 */
MUST_CHECK int unpacker_open(struct slice start, struct unpacker **out, struct error *err);

/* As unpacker_kind. */
const char *unpacker_name(const struct unpacker *unpacker);

/* NULL is let pass. */
void unpacker_close(struct unpacker *unpacker);

/*
 * Unpacks from the front of `*packed` into the `room_bytes` bytes of `room`, until that is full or all is
 * taken; `*packed` is then what was not. What is empty from the start says that nothing follows. Returns 0
 * and how many bytes were written, or -1 with ERROR_FORMAT when it is damaged, or
 * takes more than 128 MiB of memory; it is then only to be closed.
 */
MUST_CHECK int unpacker_step(struct unpacker *unpacker, struct slice *packed, char *room, size_t room_bytes,
                             size_t *written, struct error *err);

/* Whether what was taken so far is whole: of a file that is cut short it never is. */
bool unpacker_is_at_end(const struct unpacker *unpacker);

#endif
