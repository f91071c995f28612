#include "elf/section_parts.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/memory.h"
#include "elf/compression.h"

enum { BLOCK_BYTES = 4096 };

struct section_parts {
    const struct image *image;
    const struct section *section;
    char *bytes;             /* owned; as many as the section has */
    atomic_bool *is_present; /* owned; by block */
    struct arena strings;    /* that were copied */
    pthread_mutex_t lock;    /* of reading and of `strings` */
};

bool section_parts_can_be(const struct image *image, const struct section *section)
{
    return image->descriptor >= 0 && !image->section_data[section->index] && !compression_is_used(section);
}

struct section_parts *section_parts_open(const struct image *image, const struct section *section)
{
    struct section_parts *parts = memory_new(1, sizeof(*parts));

    parts->image = image;
    parts->section = section;
    parts->bytes = memory_new_sparse(section->file_bytes);
    parts->is_present = memory_new(section->file_bytes / BLOCK_BYTES + 1, sizeof(*parts->is_present));
    pthread_mutex_init(&parts->lock, NULL);
    return parts;
}

void section_parts_close(struct section_parts *parts)
{
    if (!parts)
        return;
    pthread_mutex_destroy(&parts->lock);
    memory_free_sparse(parts->bytes, parts->section->file_bytes);
    arena_done(&parts->strings);
    free(parts->is_present);
    free(parts);
}

struct slice section_parts_bytes(const struct section_parts *parts)
{
    return (struct slice){parts->bytes, parts->section->file_bytes};
}

/* The first block from `block` up to `end` that is there, or is not; else `end`. */
static size_t next_block(const struct section_parts *parts, size_t block, size_t end, bool is_present)
{
    while (block < end && atomic_load_explicit(&parts->is_present[block], memory_order_acquire) != is_present)
        block++;
    return block;
}

static bool read_blocks(struct section_parts *parts, size_t first, size_t end)
{
    const struct section *section = parts->section;
    struct error unread = {0};
    uint64_t from = (uint64_t)first * BLOCK_BYTES;
    uint64_t to =
        (uint64_t)end * BLOCK_BYTES < section->file_bytes ? (uint64_t)end * BLOCK_BYTES : section->file_bytes;

    if (image_read_at(parts->image, section->file_offset + from, parts->bytes + from, to - from, &unread) < 0)
        return false;
    for (size_t block = first; block < end; block++)
        atomic_store_explicit(&parts->is_present[block], true, memory_order_release);
    return true;
}

/* Other threads may have read some of them before it was this one's turn. */
static bool read_missing(struct section_parts *parts, size_t first, size_t end)
{
    bool is_read = true;

    pthread_mutex_lock(&parts->lock);
    while (is_read && (first = next_block(parts, first, end, false)) < end) {
        size_t behind = next_block(parts, first, end, true);

        is_read = read_blocks(parts, first, behind);
        first = behind;
    }
    pthread_mutex_unlock(&parts->lock);
    return is_read;
}

static uint64_t left_from(const struct section_parts *parts, uint64_t offset)
{
    return offset < parts->section->file_bytes ? parts->section->file_bytes - offset : 0;
}

bool section_parts_read(struct section_parts *parts, uint64_t offset, uint64_t length)
{
    uint64_t left = left_from(parts, offset);
    uint64_t wanted = length < left ? length : left;
    size_t first = offset / BLOCK_BYTES;
    size_t end = (offset + wanted + BLOCK_BYTES - 1) / BLOCK_BYTES;

    if (wanted == 0)
        return true;
    first = next_block(parts, first, end, false);
    return first == end || read_missing(parts, first, end);
}

bool section_parts_string(struct section_parts *parts, uint64_t offset, struct slice *out)
{
    enum { FIRST_BYTES = 256, GROWTH = 16 };
    uint64_t left = left_from(parts, offset);
    const char *start = parts->bytes + offset;

    for (uint64_t length = FIRST_BYTES;; length *= GROWTH) {
        uint64_t reached = length < left ? length : left;
        const char *end = NULL;

        if (reached == 0 || !section_parts_read(parts, offset, reached))
            return false;
        end = memchr(start, '\0', reached);
        if (end)
            *out = (struct slice){start, (size_t)(end - start)};
        if (end || reached == left)
            return end != NULL;
    }
}

bool section_parts_copy_string(struct section_parts *parts, uint64_t offset, struct slice *out)
{
    enum { SHORT_BYTES = 256 };
    char bytes[SHORT_BYTES];
    uint64_t left = left_from(parts, offset);
    size_t length = left < sizeof(bytes) ? left : sizeof(bytes);
    struct error unread = {0};
    const char *end = NULL;

    if (image_read_at(parts->image, parts->section->file_offset + offset, bytes, length, &unread) < 0)
        return false;
    end = memchr(bytes, '\0', length);
    if (!end)
        return section_parts_string(parts, offset, out);
    length = (size_t)(end - bytes);
    pthread_mutex_lock(&parts->lock);
    *out = (struct slice){arena_copy(&parts->strings, (struct slice){bytes, length}), length};
    pthread_mutex_unlock(&parts->lock);
    return true;
}
