#include "elf/compression.h"

#include <elf.h>
#include <inttypes.h>
#include <stdlib.h>

#include <zlib.h>

#include "base/library.h"
#include "base/memory.h"
#include "base/packing.h"

#ifndef ELFCOMPRESS_ZSTD
#define ELFCOMPRESS_ZSTD 2
#endif

/* zlib cannot do better (its "Maximum Compression Factor"), and zstd on real sections does not. */
enum { LARGEST_RATIO = 1032, LARGEST_SMALL_BYTES = 64 };

/* What fills memory, all sections together, is debug information, which takes a third to an eighth of its
 * size. */
enum { LARGE_BYTES = 256 << 20, LARGEST_RATIO_OF_LARGE = 30 };

static struct {
    __typeof__(&uncompress) uncompress;
} zlib;

/* What a section holds, once its header is read. */
struct packed {
    uint32_t method; /* ELFCOMPRESS_* */
    uint64_t content_bytes;
    struct slice stream;
};

bool compression_is_used(const struct section *section)
{
    return (section->flags & SHF_COMPRESSED) != 0 || slice_starts_with(section->name, SLICE(".zdebug_"));
}

static int load_zlib(struct error *err)
{
    const struct library_symbol symbols[] = {{"uncompress", (void **)&zlib.uncompress}};

    return zlib.uncompress ? 0 : library_load("libz.so.1", "zlib1g", symbols, ARRAY_COUNT(symbols), err);
}

/* Whether with this section what was unpacked would fill memory and be something else. */
static bool is_too_much(const struct image *image, const struct packed *packed)
{
    uint64_t content_bytes = image->unpacked_bytes + packed->content_bytes;
    uint64_t stream_bytes = image->packed_bytes + packed->stream.length;

    return content_bytes > LARGE_BYTES && content_bytes / LARGEST_RATIO_OF_LARGE > stream_bytes;
}

static int refuse(const struct image *image, const struct section *section, const char *reason,
                  struct error *err)
{
    return error_set(err, ERROR_FORMAT, "%s: compressed section %.*s: %s", image->name,
                     SLICE_ARGUMENTS(section->name), reason);
}

/* Elf64_Chdr and Elf32_Chdr; or "ZLIB" and the size, big-endian in every file. */
static int read_header(const struct image *image, const struct section *section, struct slice raw,
                       struct packed *packed, struct error *err)
{
    struct bytes cursor = image_cursor(image, raw);

    if ((section->flags & SHF_COMPRESSED) != 0) {
        packed->method = bytes_u32(&cursor);
        if (image->address_bytes == 8)
            bytes_u32(&cursor); /* ch_reserved */
        packed->content_bytes = image_read_address(image, &cursor);
        image_read_address(image, &cursor); /* ch_addralign */
    } else {
        cursor.big_endian = true;
        packed->method = slice_is(bytes_take(&cursor, 4), "ZLIB") ? ELFCOMPRESS_ZLIB : 0;
        packed->content_bytes = bytes_u64(&cursor);
    }
    packed->stream = bytes_take(&cursor, bytes_left(&cursor));
    if (cursor.failed)
        return refuse(image, section, "too short for its header", err);
    if (packed->content_bytes > packed->stream.length * LARGEST_RATIO + LARGEST_SMALL_BYTES)
        return refuse(image, section, "says that it holds more than so few bytes can", err);
    if (is_too_much(image, packed))
        return refuse(image, section, "holds far more than debug information does in so few bytes", err);
    return 0;
}

static bool unpack_zlib(const struct packed *packed, char *content)
{
    uLongf length = packed->content_bytes;

    return zlib.uncompress((Bytef *)content, &length, (const Bytef *)packed->stream.data,
                           packed->stream.length) == Z_OK &&
           length == packed->content_bytes;
}

static int unpack(const struct image *image, const struct section *section, const struct packed *packed,
                  char *content, struct error *err)
{
    bool unpacked = false;

    switch (packed->method) {
    case ELFCOMPRESS_ZLIB:
        if (load_zlib(err) < 0)
            return -1;
        unpacked = unpack_zlib(packed, content);
        break;
    case ELFCOMPRESS_ZSTD:
        if (packing_load_zstd(err) < 0)
            return -1;
        unpacked = packing_unpack_zstd(packed->stream, content, packed->content_bytes);
        break;
    default:
        error_hint(err, "build with zlib or zstd compressed debug sections, or with none compressed");
        return refuse(image, section, "its compression is neither zlib nor zstd", err);
    }
    return unpacked ? 0 : refuse(image, section, "damaged content", err);
}

int compression_read(struct image *image, const struct section *section, struct slice *content, char **owned,
                     struct error *err)
{
    SCOPED(memory_free_at) char *fresh = NULL;
    struct packed packed = {0};
    struct slice raw = {0};

    if (image_read_section(image, section, &raw, err) < 0)
        return -1;
    if (!compression_is_used(section) || section->file_bytes == 0) {
        *content = raw;
        *owned = NULL;
        return 0;
    }
    if (read_header(image, section, raw, &packed, err) < 0)
        return -1;
    fresh = memory_new_unset(packed.content_bytes);
    if (unpack(image, section, &packed, fresh, err) < 0)
        return -1;
    *content = (struct slice){fresh, packed.content_bytes};
    *owned = fresh;
    fresh = NULL;
    image->unpacked_bytes += packed.content_bytes;
    image->packed_bytes += packed.stream.length;
    return 0;
}
