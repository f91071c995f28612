#include "base/zstd_stream.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/unpacker.h"

struct zstd_stream {
    struct unpacker *unpacker;
};

int zstd_stream_open(struct zstd_stream **out, struct error *err)
{
    const struct slice start = SLICE("\x28\xb5\x2f\xfd");
    struct unpacker *unpacker = NULL;

    if (unpacker_open(start, &unpacker, err) < 0)
        return -1;
    *out = memory_new(1, sizeof(**out));
    (*out)->unpacker = unpacker;
    return 0;
}

void zstd_stream_close(struct zstd_stream *stream)
{
    if (!stream)
        return;
    unpacker_close(stream->unpacker);
    free(stream);
}

int zstd_stream_add(struct zstd_stream *stream, struct slice packed, size_t most_bytes, struct text *content,
                    struct error *err)
{
    enum { ROOM = 1 << 17 };
    size_t before = content->length;
    size_t got = ROOM;

    /* What is left inside comes once there is room for it. */
    while ((packed.length > 0 || got == ROOM) && content->length - before <= most_bytes) {
        char *room = text_extend(content, ROOM);

        if (unpacker_step(stream->unpacker, &packed, room, ROOM, &got, err) < 0) {
            content->length = before;
            return -1;
        }
        content->length -= ROOM - got;
    }
    if (content->length - before <= most_bytes)
        return 0;
    content->length = before;
    return error_set(err, ERROR_FORMAT, "a part holds more than %zu bytes", most_bytes);
}
