#include "size/rlib_names.h"

#include <string.h>

#include "elf/archive.h"

/* "17h", 16 hexadecimal digits, "E" */
#define MARK "17h"
enum { MARK_BYTES = sizeof(MARK) - 1, DIGITS = 16, END_BYTES = MARK_BYTES + DIGITS + 1 };

/* The name without what LLVM puts behind it (".llvm.123", ".cold"), and its hash; false for another kind. */
static bool take_legacy_name(struct rlib_names *names, struct slice symbol, struct slice *name,
                             struct slice *hash)
{
    symbol_parse(&names->symbol, symbol);
    *hash = names->symbol.hash;
    if (names->symbol.kind != SYMBOL_RUST_LEGACY || hash->length != DIGITS)
        return false;
    *name = slice_range(symbol, 0, (size_t)(hash->data - symbol.data) + DIGITS + 1);
    return true;
}

void rlib_names_want(struct rlib_names *names, struct slice symbol)
{
    struct slice name;
    struct slice hash;

    if (!take_legacy_name(names, symbol, &name, &hash) ||
        intern_add(&names->hashes, hash) < names->names.count)
        return;
    *vec_add(&names->names) = name;
    *vec_add(&names->crates) = SIZE_NO_CRATE;
    *vec_add(&names->are_several) = false;
    if (name.length > names->longest_bytes)
        names->longest_bytes = name.length;
}

/* Whether a name that was asked for ends where `text` does, in these digits. */
static void take_found(struct rlib_names *names, struct slice hash, struct slice text, uint32_t crate)
{
    uint32_t id = intern_find(&names->hashes, hash);

    if (id == INTERN_NONE || !slice_ends_with(text, names->names.items[id]))
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

        if (!mark || (size_t)(text.data + text.length - mark) < END_BYTES)
            return;
        at = (size_t)(mark - text.data) + MARK_BYTES;
        take_found(names, slice_range(text, at, at + DIGITS), slice_range(text, 0, at + DIGITS + 1), crate);
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

bool rlib_names_find(struct rlib_names *names, struct slice symbol, uint32_t *crate)
{
    struct slice name;
    struct slice hash;
    uint32_t id = 0;

    if (!take_legacy_name(names, symbol, &name, &hash))
        return false;
    id = intern_find(&names->hashes, hash);
    if (id == INTERN_NONE || names->are_several.items[id] || !slice_equal(name, names->names.items[id]))
        return false;
    *crate = names->crates.items[id];
    return true;
}

void rlib_names_done(struct rlib_names *names)
{
    intern_done(&names->hashes);
    vec_done(&names->names);
    vec_done(&names->crates);
    vec_done(&names->are_several);
    symbol_done(&names->symbol);
}
