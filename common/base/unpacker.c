#include "base/unpacker.h"

#include <stdlib.h>

/* Has zlib take what it only reads as such. */
#define ZLIB_CONST
#include <zlib.h>

#include <lzma.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "base/library.h"
#include "base/memory.h"

struct unpacker_kind;

struct unpacker {
    const struct unpacker_kind *kind;
    bool is_at_end;
    z_stream gzip;
    ZSTD_DStream *zstd;
    lzma_stream xz;
};

/* The bytes of one step: as many at once as the counters of each library hold. */
struct step {
    const char *packed;
    size_t packed_bytes;
    char *room;
    size_t room_bytes;
    size_t taken;   /* what the step has taken of one, */
    size_t written; /* and put into the other */
};

/* What a step may come to. */
enum outcome { UNPACKED, DAMAGED, TAKES_MEMORY };

struct unpacker_kind {
    const char *name;
    struct slice start;
    int (*open)(struct unpacker *unpacker, struct error *err);
    void (*close)(struct unpacker *unpacker);
    enum outcome (*step)(struct unpacker *unpacker, struct step *step);
};

/* --- gzip ----------------------------------------------------------------------------------------- */

static struct {
    __typeof__(&inflateInit2_) init;
    __typeof__(&inflate) inflate;
    __typeof__(&inflateReset) reset;
    __typeof__(&inflateEnd) end;
} zlib;

static int open_gzip(struct unpacker *unpacker, struct error *err)
{
    /* Has zlib read gzip's head and end. */
    enum { GZIP_WINDOW = 15 + 16 };
    const struct library_symbol symbols[] = {
        {"inflateInit2_", (void **)&zlib.init},
        {"inflate", (void **)&zlib.inflate},
        {"inflateReset", (void **)&zlib.reset},
        {"inflateEnd", (void **)&zlib.end},
    };

    if (!zlib.end && library_load("libz.so.1", "zlib1g", symbols, ARRAY_COUNT(symbols), err) < 0)
        return -1;
    if (zlib.init(&unpacker->gzip, GZIP_WINDOW, ZLIB_VERSION, sizeof(unpacker->gzip)) != Z_OK)
        memory_exhausted(1, sizeof(unpacker->gzip));
    return 0;
}

static void close_gzip(struct unpacker *unpacker)
{
    zlib.end(&unpacker->gzip);
}

static enum outcome step_gzip(struct unpacker *unpacker, struct step *step)
{
    z_stream *stream = &unpacker->gzip;
    int status = Z_OK;

    if (unpacker->is_at_end) {
        if (step->packed_bytes == 0)
            return UNPACKED;
        zlib.reset(stream);
    }
    stream->next_in = (const Bytef *)step->packed;
    stream->avail_in = (uInt)step->packed_bytes;
    stream->next_out = (Bytef *)step->room;
    stream->avail_out = (uInt)step->room_bytes;
    status = zlib.inflate(stream, Z_NO_FLUSH);
    step->taken = step->packed_bytes - stream->avail_in;
    step->written = step->room_bytes - stream->avail_out;
    unpacker->is_at_end = status == Z_STREAM_END;
    /* Z_BUF_ERROR: nothing to do without more bytes, or room. */
    return status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR ? UNPACKED : DAMAGED;
}

/* --- zstd ----------------------------------------------------------------------------------------- */

static struct {
    __typeof__(&ZSTD_createDStream) create;
    __typeof__(&ZSTD_freeDStream) free;
    __typeof__(&ZSTD_decompressStream) decompress;
    __typeof__(&ZSTD_isError) is_error;
    __typeof__(&ZSTD_getErrorCode) error_code;
} zstd;

static int open_zstd(struct unpacker *unpacker, struct error *err)
{
    const struct library_symbol symbols[] = {
        {"ZSTD_createDStream", (void **)&zstd.create},        {"ZSTD_freeDStream", (void **)&zstd.free},
        {"ZSTD_decompressStream", (void **)&zstd.decompress}, {"ZSTD_isError", (void **)&zstd.is_error},
        {"ZSTD_getErrorCode", (void **)&zstd.error_code},
    };

    if (!zstd.error_code && library_load("libzstd.so.1", "libzstd1", symbols, ARRAY_COUNT(symbols), err) < 0)
        return -1;
    unpacker->zstd = zstd.create();
    if (!unpacker->zstd)
        memory_exhausted(1, sizeof(*unpacker));
    return 0;
}

static void close_zstd(struct unpacker *unpacker)
{
    zstd.free(unpacker->zstd);
}

static enum outcome step_zstd(struct unpacker *unpacker, struct step *step)
{
    ZSTD_inBuffer in = {step->packed, step->packed_bytes, 0};
    ZSTD_outBuffer out = {step->room, step->room_bytes, 0};
    size_t result = 0;

    if (unpacker->is_at_end && step->packed_bytes == 0)
        return UNPACKED;
    result = zstd.decompress(unpacker->zstd, &out, &in);
    step->taken = in.pos;
    step->written = out.pos;
    unpacker->is_at_end = result == 0;
    if (!zstd.is_error(result))
        return UNPACKED;
    /* As `zstd --long=28` and more make it, which is not unpacked without that either. */
    return zstd.error_code(result) == ZSTD_error_frameParameter_windowTooLarge ? TAKES_MEMORY : DAMAGED;
}

/* --- xz ------------------------------------------------------------------------------------------- */

static struct {
    __typeof__(&lzma_stream_decoder) decoder;
    __typeof__(&lzma_code) code;
    __typeof__(&lzma_end) end;
} xz;

static int open_xz(struct unpacker *unpacker, struct error *err)
{
    /* What the highest level of the xz program asks for is 65 MiB. */
    enum { MOST_MEMORY = 128 << 20 };
    const lzma_stream empty = LZMA_STREAM_INIT;
    const struct library_symbol symbols[] = {
        {"lzma_stream_decoder", (void **)&xz.decoder},
        {"lzma_code", (void **)&xz.code},
        {"lzma_end", (void **)&xz.end},
    };

    if (!xz.end && library_load("liblzma.so.5", "liblzma5", symbols, ARRAY_COUNT(symbols), err) < 0)
        return -1;
    unpacker->xz = empty;
    if (xz.decoder(&unpacker->xz, MOST_MEMORY, LZMA_CONCATENATED) != LZMA_OK)
        memory_exhausted(1, sizeof(unpacker->xz));
    return 0;
}

static void close_xz(struct unpacker *unpacker)
{
    xz.end(&unpacker->xz);
}

static enum outcome step_xz(struct unpacker *unpacker, struct step *step)
{
    lzma_stream *stream = &unpacker->xz;
    lzma_ret status = LZMA_OK;

    if (unpacker->is_at_end)
        return UNPACKED;
    stream->next_in = (const uint8_t *)step->packed;
    stream->avail_in = step->packed_bytes;
    stream->next_out = (uint8_t *)step->room;
    stream->avail_out = step->room_bytes;
    status = xz.code(stream, step->packed_bytes > 0 ? LZMA_RUN : LZMA_FINISH);
    step->taken = step->packed_bytes - stream->avail_in;
    step->written = step->room_bytes - stream->avail_out;
    unpacker->is_at_end = status == LZMA_STREAM_END;
    if (status == LZMA_MEMLIMIT_ERROR)
        return TAKES_MEMORY;
    return status == LZMA_OK || status == LZMA_STREAM_END || status == LZMA_BUF_ERROR ? UNPACKED : DAMAGED;
}

/* --- All of them ---------------------------------------------------------------------------------- */

static const struct unpacker_kind kinds[] = {
    {"gzip", {"\x1f\x8b", 2}, open_gzip, close_gzip, step_gzip},
    {"zstd", {"\x28\xb5\x2f\xfd", 4}, open_zstd, close_zstd, step_zstd},
    {"xz",
     {"\xfd"
      "7zXZ\0",
      6},
     open_xz,
     close_xz,
     step_xz},
};

static const struct unpacker_kind *kind_of(struct slice start)
{
    for (size_t i = 0; i < ARRAY_COUNT(kinds); i++)
        if (slice_starts_with(start, kinds[i].start))
            return &kinds[i];
    return NULL;
}

const char *unpacker_kind(struct slice start)
{
    const struct unpacker_kind *kind = kind_of(start);

    return kind ? kind->name : NULL;
}

int unpacker_open(struct slice start, struct unpacker **out, struct error *err)
{
    struct unpacker *unpacker = memory_new(1, sizeof(*unpacker));

    unpacker->kind = kind_of(start);
    if (unpacker->kind->open(unpacker, err) < 0) {
        free(unpacker);
        return -1;
    }
    *out = unpacker;
    return 0;
}

const char *unpacker_name(const struct unpacker *unpacker)
{
    return unpacker->kind->name;
}

void unpacker_close(struct unpacker *unpacker)
{
    if (!unpacker)
        return;
    unpacker->kind->close(unpacker);
    free(unpacker);
}

static int refuse(const struct unpacker *unpacker, enum outcome outcome, struct error *err)
{
    if (outcome == DAMAGED)
        return error_set(err, ERROR_FORMAT, "what was packed with %s is damaged", unpacker->kind->name);
    error_hint(err, "unpack it with a program that may take more, and name what that leaves");
    return error_set(err, ERROR_FORMAT, "what was packed with %s takes more than 128 MiB of memory to unpack",
                     unpacker->kind->name);
}

int unpacker_step(struct unpacker *unpacker, struct slice *packed, char *room, size_t room_bytes,
                  size_t *written, struct error *err)
{
    enum { MOST_AT_ONCE = 1 << 30 };
    size_t done = 0;
    struct step step = {0};

    do {
        enum outcome outcome = UNPACKED;

        step = (struct step){.packed = packed->data};
        step.room = room + done;
        step.packed_bytes = packed->length < MOST_AT_ONCE ? packed->length : MOST_AT_ONCE;
        step.room_bytes = room_bytes - done < MOST_AT_ONCE ? room_bytes - done : MOST_AT_ONCE;
        outcome = unpacker->kind->step(unpacker, &step);
        if (outcome != UNPACKED)
            return refuse(unpacker, outcome, err);
        *packed = slice_range(*packed, step.taken, packed->length);
        done += step.written;
    } while (done < room_bytes && packed->length > 0 && step.taken + step.written > 0);
    if (done < room_bytes && packed->length > 0)
        return refuse(unpacker, DAMAGED, err);
    *written = done;
    return 0;
}

bool unpacker_is_at_end(const struct unpacker *unpacker)
{
    return unpacker->is_at_end;
}
