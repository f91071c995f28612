#include "base/packing.h"

#include <string.h>

/* Has zlib take what it only reads as such. */
#define ZLIB_CONST
#include <zlib.h>

#include <zstd.h>

#include "base/library.h"
#include "base/memory.h"
#include "base/unpacker.h"

static struct {
    __typeof__(&ZSTD_compress) compress;
    __typeof__(&ZSTD_compressBound) bound;
    __typeof__(&ZSTD_decompress) decompress;
    __typeof__(&ZSTD_isError) is_error;
} zstd;

static struct {
    __typeof__(&deflateInit2_) init;
    __typeof__(&deflateBound) bound;
    __typeof__(&deflate) deflate;
    __typeof__(&deflateEnd) end;
} zlib;

int packing_load_zstd(struct error *err)
{
    const struct library_symbol symbols[] = {
        {"ZSTD_compress", (void **)&zstd.compress},
        {"ZSTD_compressBound", (void **)&zstd.bound},
        {"ZSTD_decompress", (void **)&zstd.decompress},
        {"ZSTD_isError", (void **)&zstd.is_error},
    };

    return zstd.is_error ? 0 : library_load("libzstd.so.1", "libzstd1", symbols, ARRAY_COUNT(symbols), err);
}

int packing_load_gzip(struct error *err)
{
    const struct library_symbol symbols[] = {
        {"deflateInit2_", (void **)&zlib.init},
        {"deflateBound", (void **)&zlib.bound},
        {"deflate", (void **)&zlib.deflate},
        {"deflateEnd", (void **)&zlib.end},
    };

    return zlib.end ? 0 : library_load("libz.so.1", "zlib1g", symbols, ARRAY_COUNT(symbols), err);
}

int packing_zstd(struct text *packed, struct slice content, int level, struct error *err)
{
    size_t bound = 0;
    size_t length = 0;

    if (packing_load_zstd(err) < 0)
        return -1;
    bound = zstd.bound(content.length);
    length = zstd.compress(text_extend(packed, bound), bound, content.data, content.length, level);
    /* All it may lack with so much room is memory. */
    if (zstd.is_error(length))
        memory_exhausted(1, content.length);
    packed->length -= bound - length;
    return 0;
}

bool packing_unpack_zstd(struct slice packed, char *content, size_t length)
{
    size_t got = zstd.decompress(content, length, packed.data, packed.length);

    return !zstd.is_error(got) && got == length;
}

/* Has zlib write gzip's head and end, and as much at once as its counters hold. */
enum { GZIP_WINDOW = 15 + 16, MOST_AT_ONCE = 1 << 30 };

int packing_gzip(struct text *packed, struct slice content, struct error *err)
{
    enum { USUAL_MEMORY = 8 };
    z_stream stream = {0};
    size_t at = 0;
    int status = Z_OK;

    if (packing_load_gzip(err) < 0)
        return -1;
    if (zlib.init(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW, USUAL_MEMORY, Z_DEFAULT_STRATEGY,
                  ZLIB_VERSION, sizeof(stream)) != Z_OK)
        memory_exhausted(1, sizeof(stream));
    while (status == Z_OK) {
        enum { ROOM = 1 << 16 };
        size_t part = content.length - at < MOST_AT_ONCE ? content.length - at : MOST_AT_ONCE;

        stream.next_in = (const Bytef *)content.data + at;
        stream.avail_in = (uInt)part;
        stream.next_out = (Bytef *)text_extend(packed, ROOM);
        stream.avail_out = ROOM;
        status = zlib.deflate(&stream, at + part == content.length ? Z_FINISH : Z_NO_FLUSH);
        packed->length -= stream.avail_out;
        at += part - stream.avail_in;
    }
    zlib.end(&stream);
    return 0;
}

static void close_unpacker(struct unpacker **unpacker)
{
    unpacker_close(*unpacker);
}

/* Appends all that it has, or what is more than most_bytes of it. */
static int add_unpacked(struct unpacker *unpacker, struct slice packed, size_t most_bytes,
                        struct text *content, struct error *err)
{
    enum { ROOM = 1 << 16 };
    size_t before = content->length;

    while (!unpacker_is_at_end(unpacker) && content->length - before <= most_bytes) {
        bool is_all = packed.length == 0;
        char *room = text_extend(content, ROOM);
        size_t got = 0;

        if (unpacker_step(unpacker, &packed, room, ROOM, &got, err) < 0)
            return -1;
        content->length -= ROOM - got;
        if (is_all && got == 0 && !unpacker_is_at_end(unpacker))
            return error_set(err, ERROR_FORMAT, "what was packed with xz is damaged");
    }
    if (content->length - before > most_bytes)
        return error_set(err, ERROR_FORMAT, "it holds more than %zu bytes", most_bytes);
    return 0;
}

int packing_unpack_xz(struct slice packed, size_t most_bytes, struct text *content, struct error *err)
{
    SCOPED(close_unpacker) struct unpacker *unpacker = NULL;
    const char *kind = unpacker_kind(packed);
    size_t before = content->length;

    if (!kind || strcmp(kind, "xz") != 0)
        return error_set(err, ERROR_FORMAT, "what was packed with xz is damaged");
    if (unpacker_open(packed, &unpacker, err) < 0)
        return -1;
    if (add_unpacked(unpacker, packed, most_bytes, content, err) < 0) {
        content->length = before;
        return -1;
    }
    return 0;
}
