#include "size/rlib_names.h"

#include <string.h>

#include "elf/archive.h"

/* "17h", 16 hexadecimal digits, "E" */
#define MARK "17h"
enum { MARK_BYTES = sizeof(MARK) - 1, DIGITS = 16, END_BYTES = MARK_BYTES + DIGITS + 1 };

static bool read_hash(const char *end, uint64_t *out)
{
    uint64_t hash = 0;

    for (size_t i = 0; i < DIGITS; i++) {
        char digit = end[MARK_BYTES + i];

        if (digit >= '0' && digit <= '9')
            hash = hash << 4 | (uint64_t)(digit - '0');
        else if (digit >= 'a' && digit <= 'f')
            hash = hash << 4 | (uint64_t)(digit - 'a' + 10);
        else
            return false;
    }
    *out = hash;
    return end[MARK_BYTES + DIGITS] == 'E';
}

/* The name without what LLVM puts behind it (".llvm.123", ".cold"), and its hash; false for another kind. */
static bool take_legacy_name(struct slice symbol, struct slice *name, uint64_t *hash)
{
    size_t end = slice_find_byte(symbol, '.'); /* those of paths are ".." */

    while (end + 1 < symbol.length && symbol.data[end + 1] == '.') {
        struct slice rest = slice_range(symbol, end + 2, symbol.length);

        end += 2 + slice_find_byte(rest, '.');
    }
    *name = slice_range(symbol, 0, end);
    return slice_starts_with(*name, SLICE("_ZN")) && name->length > END_BYTES &&
           memcmp(name->data + name->length - END_BYTES, MARK, MARK_BYTES) == 0 &&
           read_hash(name->data + name->length - END_BYTES, hash);
}

void rlib_names_want(struct rlib_names *names, struct slice symbol)
{
    struct slice name;
    uint64_t hash = 0;

    if (!take_legacy_name(symbol, &name, &hash) ||
        pair_index_add(&names->hashes, hash, 0) < names->names.count)
        return;
    *vec_add(&names->names) = name;
    *vec_add(&names->crates) = SIZE_NO_CRATE;
    *vec_add(&names->are_several) = false;
    if (name.length > names->longest_bytes)
        names->longest_bytes = name.length;
}

/* Whether the name with this hash ends where `text` does. */
static void take_found(struct rlib_names *names, uint64_t hash, struct slice text, uint32_t crate)
{
    uint32_t id = pair_index_find(&names->hashes, hash, 0);

    if (id == UINT32_MAX || !slice_ends_with(text, names->names.items[id]))
        return;
    if (names->crates.items[id] != SIZE_NO_CRATE && names->crates.items[id] != crate)
        names->are_several.items[id] = true;
    names->crates.items[id] = crate;
}

static void look_through(struct rlib_names *names, struct slice text, uint32_t crate)
{
    size_t at = 0;

    while (text.length - at >= END_BYTES) {
        const char *mark = memmem(text.data + at, text.length - at, MARK, MARK_BYTES);
        uint64_t hash = 0;

        if (!mark || (size_t)(text.data + text.length - mark) < END_BYTES)
            return;
        at = (size_t)(mark - text.data) + MARK_BYTES;
        if (read_hash(mark, &hash))
            take_found(names, hash, slice_range(text, 0, (size_t)(mark - text.data) + END_BYTES), crate);
    }
}

static bool read_member(struct rlib_names *names, const struct archive *archive,
                        const struct archive_member *member, struct text *block, uint32_t crate)
{
    enum { BLOCK_BYTES = 1 << 20 };
    uint64_t done = 0;

    text_clear(block);
    while (done < member->size_bytes) {
        uint64_t left = member->size_bytes - done;
        size_t length = left < BLOCK_BYTES ? (size_t)left : BLOCK_BYTES;
        size_t kept = block->length < names->longest_bytes ? block->length : names->longest_bytes;
        struct error ignored = {0};

        /* A name may go on from the block before. */
        if (kept > 0)
            memmove(block->data, block->data + block->length - kept, kept);
        block->length = kept;
        if (archive_read_part(archive, member, done, text_extend(block, length), length, &ignored) < 0)
            return false;
        look_through(names, text_slice(block), crate);
        done += length;
    }
    return true;
}

bool rlib_names_read(struct rlib_names *names, const char *path, uint32_t crate)
{
    SCOPED(text_done) struct text block = {0};
    struct archive archive;
    struct error ignored = {0};
    bool is_read = true;

    if (archive_open(path, &archive, &ignored) < 0)
        return false;
    for (size_t i = 0; is_read && i < archive.members.count; i++)
        if (slice_ends_with(archive.members.items[i].name, SLICE(".rcgu.o")))
            is_read = read_member(names, &archive, &archive.members.items[i], &block, crate);
    archive_close(&archive);
    return is_read;
}

bool rlib_names_find(const struct rlib_names *names, struct slice symbol, uint32_t *crate)
{
    struct slice name;
    uint64_t hash = 0;
    uint32_t id = 0;

    if (!take_legacy_name(symbol, &name, &hash))
        return false;
    id = pair_index_find(&names->hashes, hash, 0);
    if (id == UINT32_MAX || names->are_several.items[id] || !slice_equal(name, names->names.items[id]))
        return false;
    *crate = names->crates.items[id];
    return true;
}

void rlib_names_done(struct rlib_names *names)
{
    pair_index_done(&names->hashes);
    vec_done(&names->names);
    vec_done(&names->crates);
    vec_done(&names->are_several);
}
