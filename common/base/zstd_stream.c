#include "base/zstd_stream.h"

#include <stdlib.h>
#include <zstd.h>

#include "base/library.h"
#include "base/memory.h"

struct zstd_stream {
    ZSTD_DStream *state;
};

static struct {
    __typeof__(&ZSTD_createDStream) create;
    __typeof__(&ZSTD_freeDStream) free;
    __typeof__(&ZSTD_decompressStream) decompress;
    __typeof__(&ZSTD_isError) is_error;
} zstd;

static int load(struct error *err)
{
    const struct library_symbol symbols[] = {
        {"ZSTD_createDStream", (void **)&zstd.create},
        {"ZSTD_freeDStream", (void **)&zstd.free},
        {"ZSTD_decompressStream", (void **)&zstd.decompress},
        {"ZSTD_isError", (void **)&zstd.is_error},
    };

    return zstd.is_error ? 0 : library_load("libzstd.so.1", "libzstd1", symbols, ARRAY_COUNT(symbols), err);
}

int zstd_stream_open(struct zstd_stream **out, struct error *err)
{
    struct zstd_stream *stream = NULL;

    if (load(err) < 0)
        return -1;
    stream = memory_new(1, sizeof(*stream));
    stream->state = zstd.create();
    if (!stream->state)
        memory_exhausted(1, sizeof(*stream));
    *out = stream;
    return 0;
}

void zstd_stream_close(struct zstd_stream *stream)
{
    if (!stream)
        return;
    zstd.free(stream->state);
    free(stream);
}

int zstd_stream_add(struct zstd_stream *stream, struct slice packed, size_t most_bytes, struct text *content,
                    struct error *err)
{
    enum { ROOM = 1 << 17 };
    ZSTD_inBuffer in = {packed.data, packed.length, 0};
    ZSTD_outBuffer out = {NULL, 0, 0};
    size_t before = content->length;

    /* What is left inside comes once there is room for it. */
    while (in.pos < in.size || out.pos == out.size) {
        size_t result = 0;

        if (content->length - before > most_bytes)
            break;
        out = (ZSTD_outBuffer){text_extend(content, ROOM), ROOM, 0};
        result = zstd.decompress(stream->state, &out, &in);
        content->length -= ROOM - out.pos;
        if (zstd.is_error(result)) {
            content->length = before;
            return error_set(err, ERROR_FORMAT, "what was packed with zstd is damaged");
        }
    }
    if (content->length - before <= most_bytes)
        return 0;
    content->length = before;
    return error_set(err, ERROR_FORMAT, "a part holds more than %zu bytes", most_bytes);
}
