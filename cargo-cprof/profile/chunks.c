#include "profile/chunks.h"

#include <string.h>

#include "base/bytes.h"
#include "base/packing.h"

/*
 * As PNG has it: a byte that is no text, then the name, then line ends that a transfer as text would change.
 */
static const char magic[] = {'\x8f', 'c', 'p', 'r', 'o', 'f', '\r', '\n'};
static const char end_magic[] = {'c', 'p', 'r', 'o', 'f', 'e', 'n', 'd'};

enum {
    VERSION = 1,
    HEADER_BYTES = sizeof(magic) + 8, /* the version, 4 bytes of 0 */
    END_BYTES = 40,                   /* place, stored and unpacked size, checksum of the index; end_magic */
    /* Chunks that would shrink to less are not packed, so that a reader knows how large they can be. */
    LARGEST_RATIO = 1000,
    PACKING_LEVEL = 6,
};

#define DAMAGED "damaged: %s"

void chunks_done(struct chunks *chunks)
{
    vec_done(&chunks->items);
}

static struct slice magic_slice(void)
{
    return (struct slice){magic, sizeof(magic)};
}

bool chunks_begin_file(struct slice start)
{
    return slice_starts_with(start, magic_slice());
}

static void add_u64(struct text *file, uint64_t number)
{
    for (int i = 0; i < 8; i++)
        text_add_byte(file, (char)(number >> (8 * i)));
}

/* FNV-1a over words of eight bytes, the last one filled up with zeros: every change of one word shows. */
static uint64_t checksum_of(struct slice bytes)
{
    uint64_t hash = 0xcbf29ce484222325U;

    for (size_t at = 0; at < bytes.length; at += sizeof(uint64_t)) {
        size_t length = bytes.length - at < sizeof(uint64_t) ? bytes.length - at : sizeof(uint64_t);
        uint64_t word = 0;

        memcpy(&word, bytes.data + at, length);
        hash = (hash ^ word) * 0x100000001b3U;
        hash ^= hash >> 32;
    }
    return hash ^ bytes.length;
}

int chunks_pack(struct text *stored, struct slice content, struct error *err)
{
    size_t start = stored->length;

    if (packing_zstd(stored, content, PACKING_LEVEL, err) < 0)
        return -1;
    if (stored->length - start < content.length && (stored->length - start) * LARGEST_RATIO >= content.length)
        return 0;
    stored->length = start;
    text_add(stored, content);
    return 0;
}

bool chunks_unpack(struct slice stored, size_t content_bytes, struct text *content)
{
    if (stored.length == content_bytes) {
        text_add(content, stored);
        return true;
    }
    return packing_unpack_zstd(stored, text_extend(content, content_bytes), content_bytes);
}

/* --- Writing ------------------------------------------------------------------------------------- */

void chunk_writer_done(struct chunk_writer *writer)
{
    chunks_done(&writer->chunks);
    text_done(&writer->stored);
}

static int write_bytes(struct chunk_writer *writer, struct slice bytes, struct error *err)
{
    if (writer->sink.write(writer->sink.context, bytes, err) < 0)
        return -1;
    writer->offset += bytes.length;
    return 0;
}

int chunk_writer_begin(struct chunk_writer *writer, struct error *err)
{
    text_clear(&writer->stored);
    text_add(&writer->stored, magic_slice());
    add_u64(&writer->stored, VERSION);
    return write_bytes(writer, text_slice(&writer->stored), err);
}

/* Writes the bytes and notes where they stand. */
static int store(struct chunk_writer *writer, struct chunk *chunk, struct slice stored, struct error *err)
{
    chunk->offset = writer->offset;
    chunk->stored_bytes = stored.length;
    chunk->checksum = checksum_of(stored);
    return write_bytes(writer, stored, err);
}

static int store_content(struct chunk_writer *writer, struct chunk *chunk, struct slice content,
                         struct error *err)
{
    text_clear(&writer->stored);
    chunk->content_bytes = content.length;
    if (chunks_pack(&writer->stored, content, err) < 0)
        return -1;
    return store(writer, chunk, text_slice(&writer->stored), err);
}

int chunk_writer_add(struct chunk_writer *writer, struct chunk chunk, struct slice content, struct error *err)
{
    if (store_content(writer, &chunk, content, err) < 0)
        return -1;
    *vec_add(&writer->chunks.items) = chunk;
    return 0;
}

int chunk_writer_add_packed(struct chunk_writer *writer, struct chunk chunk, struct slice stored,
                            struct error *err)
{
    if (store(writer, &chunk, stored, err) < 0)
        return -1;
    *vec_add(&writer->chunks.items) = chunk;
    return 0;
}

static void add_entry(struct text *index, const struct chunk *of)
{
    text_add_uleb128(index, of->kind);
    text_add_uleb128(index, of->series);
    text_add_uleb128(index, of->count);
    text_add_uleb128(index, of->first_time_ns);
    text_add_uleb128(index, of->last_time_ns);
    text_add_uleb128(index, of->offset);
    text_add_uleb128(index, of->stored_bytes);
    text_add_uleb128(index, of->content_bytes);
    add_u64(index, of->checksum);
}

int chunk_writer_end(struct chunk_writer *writer, struct error *err)
{
    SCOPED(text_done) struct text index = {0};
    SCOPED(text_done) struct text end = {0};
    struct chunk chunk = {0};

    for (size_t i = 0; i < writer->chunks.items.count; i++)
        add_entry(&index, &writer->chunks.items.items[i]);
    if (store_content(writer, &chunk, text_slice(&index), err) < 0)
        return -1;
    add_u64(&end, chunk.offset);
    add_u64(&end, chunk.stored_bytes);
    add_u64(&end, chunk.content_bytes);
    add_u64(&end, chunk.checksum);
    text_add(&end, (struct slice){end_magic, sizeof(end_magic)});
    return write_bytes(writer, text_slice(&end), err);
}

/* --- Reading ------------------------------------------------------------------------------------- */

static int check_header(struct slice file, struct error *err)
{
    struct bytes header = bytes_of(slice_range(file, sizeof(magic), HEADER_BYTES), false);
    uint32_t version = bytes_u32(&header);
    uint32_t reserved = bytes_u32(&header);

    if (!chunks_begin_file(file))
        return error_set(err, ERROR_FORMAT, "not a profile of cargo cprof");
    if (header.failed || version == 0)
        return error_set(err, ERROR_FORMAT, DAMAGED, "it has no version");
    if (version > VERSION) {
        error_hint(err, "read it with the cargo-cprof that wrote it, or a newer one");
        return error_set(err, ERROR_FORMAT,
                         "written by a newer cargo-cprof: format %u, this one reads up to %d", version,
                         VERSION);
    }
    return reserved == 0 ? 0 : error_set(err, ERROR_FORMAT, DAMAGED, "its header");
}

/* Whether the chunk lies in the file, behind its header, and may hold as much as it says. */
static bool is_within(struct slice file, const struct chunk *chunk)
{
    return chunk->offset >= HEADER_BYTES && chunk->offset <= file.length &&
           chunk->stored_bytes <= file.length - chunk->offset &&
           chunk->content_bytes >= chunk->stored_bytes &&
           chunk->content_bytes / LARGEST_RATIO <= chunk->stored_bytes;
}

bool chunks_stored(struct slice file, const struct chunk *chunk, struct slice *stored)
{
    *stored = slice_range(file, chunk->offset, chunk->offset + chunk->stored_bytes);
    return checksum_of(*stored) == chunk->checksum;
}

bool chunks_read(struct slice file, const struct chunk *chunk, struct text *content)
{
    struct slice stored = {0};

    return chunks_stored(file, chunk, &stored) && chunks_unpack(stored, chunk->content_bytes, content);
}

static int read_end(struct slice file, struct chunk *index, struct error *err)
{
    size_t start = file.length < END_BYTES ? 0 : file.length - END_BYTES;
    struct bytes end = bytes_of(slice_range(file, start, file.length), false);

    if (!slice_ends_with(file, (struct slice){end_magic, sizeof(end_magic)}) ||
        file.length < HEADER_BYTES + END_BYTES) {
        error_hint(err, "it was not written or copied to its end: record or copy it again");
        return error_set(err, ERROR_FORMAT, "cut short after %zu bytes", file.length);
    }
    index->offset = bytes_u64(&end);
    index->stored_bytes = bytes_u64(&end);
    index->content_bytes = bytes_u64(&end);
    index->checksum = bytes_u64(&end);
    if (!is_within(slice_range(file, 0, start), index))
        return error_set(err, ERROR_FORMAT, DAMAGED, "its index lies outside");
    return 0;
}

static bool read_entry(struct slice file, struct bytes *bytes, struct chunk *out)
{
    uint64_t kind = bytes_uleb128(bytes);
    uint64_t series = bytes_uleb128(bytes);

    *out = (struct chunk){.kind = (uint32_t)kind, .series = (uint32_t)series};
    out->count = bytes_uleb128(bytes);
    out->first_time_ns = bytes_uleb128(bytes);
    out->last_time_ns = bytes_uleb128(bytes);
    out->offset = bytes_uleb128(bytes);
    out->stored_bytes = bytes_uleb128(bytes);
    out->content_bytes = bytes_uleb128(bytes);
    out->checksum = bytes_u64(bytes);
    return !bytes->failed && kind <= UINT32_MAX && series <= UINT32_MAX && is_within(file, out);
}

int chunks_read_index(struct slice file, struct chunks *out, struct error *err)
{
    SCOPED(text_done) struct text content = {0};
    struct chunks chunks = {0};
    struct chunk index = {0};
    struct bytes bytes;
    uint64_t end = 0; /* of the chunk before */

    if (check_header(file, err) < 0 || read_end(file, &index, err) < 0 || packing_load_zstd(err) < 0)
        return -1;
    if (!chunks_read(file, &index, &content))
        return error_set(err, ERROR_FORMAT, DAMAGED, "its index");
    bytes = bytes_of(text_slice(&content), false);
    while (bytes_left(&bytes) > 0) {
        struct chunk chunk;

        /* Were chunks to share bytes, a small file could hold any amount. */
        if (!read_entry(file, &bytes, &chunk) || chunk.offset < end) {
            chunks_done(&chunks);
            return error_set(err, ERROR_FORMAT, DAMAGED, "its index");
        }
        end = chunk.offset + chunk.stored_bytes;
        *vec_add(&chunks.items) = chunk;
    }
    *out = chunks;
    return 0;
}
