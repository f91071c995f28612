/* A zstd stream (RFC 8878) that comes in parts, each of which is unpacked as far as it goes. */
#ifndef BASE_ZSTD_STREAM_H
#define BASE_ZSTD_STREAM_H

#include "base/error.h"
#include "base/slice.h"
#include "base/text.h"

struct zstd_stream; /* opaque */

/* Returns 0 and a stream to be given to zstd_stream_close, or -1 with ERROR_MISSING without the library. */
MUST_CHECK int zstd_stream_open(struct zstd_stream **out, struct error *err);

/* NULL is let pass. */
void zstd_stream_close(struct zstd_stream *stream);

/*
 * Appends what the next part holds, `most_bytes` at most. Returns 0, or -1 with ERROR_FORMAT when it is
 * damaged or holds more; `content` is untouched then, and the stream of no more use.
 */
MUST_CHECK int zstd_stream_add(struct zstd_stream *stream, struct slice packed, size_t most_bytes,
                               struct text *content, struct error *err);

#endif
