#include "size/rlib_names.h"

#include <string.h>

#include "base/scan.h"
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

static struct slice path_of(struct slice name)
{
    return slice_range(name, 0, name.length - END_BYTES);
}

void rlib_names_want(struct rlib_names *names, struct slice symbol)
{
    struct slice name;
    struct slice hash;

    if (!take_legacy_name(names, symbol, &name, &hash) ||
        intern_add(&names->hashes, hash) < names->names.count)
        return;
    if (intern_add(&names->paths, path_of(name)) == names->has_own.count)
        *vec_add(&names->has_own) = false;
    *vec_add(&names->names) = name;
    *vec_add(&names->crates) = SIZE_NO_CRATE;
    *vec_add(&names->are_several) = false;
    if (name.length > names->longest_bytes)
        names->longest_bytes = name.length;
}

/* Whether the name is of a function or an impl for a type of the crate that is compared: "_ZN3dep3run…",
 * "_ZN49_$LT$dep..Type$u20$as$u20$core..clone..Clone$GT$5clone…". */
static bool is_own(const struct rlib_names *names, struct slice name)
{
    struct scan scan = scan_of(name);
    struct slice crate;
    uint64_t length = 0;

    if (names->own.length == 0 || !scan_text(&scan, "_ZN") || !scan_decimal(&scan, &length))
        return false;
    if (length == names->own.length)
        return slice_starts_with(scan.rest, names->own);
    return scan_text(&scan, "_$LT$") && scan_bytes(&scan, names->own.length, &crate) &&
           slice_equal(crate, names->own) && scan_text(&scan, "..");
}

/* Whether a name that was asked for ends where `text` does, in these digits. */
static void take_found(struct rlib_names *names, struct slice hash, struct slice text, uint32_t crate)
{
    uint32_t id = intern_find(&names->hashes, hash);

    if (id == INTERN_NONE || !slice_ends_with(text, names->names.items[id]))
        return;
    /* It names what it calls, too. */
    names->has_name |= is_own(names, names->names.items[id]);
    if (names->crates.items[id] != SIZE_NO_CRATE && names->crates.items[id] != crate)
        names->are_several.items[id] = true;
    names->crates.items[id] = crate;
}

/* Whether the path of one that was asked for ends where `text` does, and is the crate's own. */
static void take_path(struct rlib_names *names, struct slice text)
{
    size_t first = text.length < names->longest_bytes ? 0 : text.length - names->longest_bytes;

    for (size_t at = text.length; at-- > first;) {
        struct slice path = slice_range(text, at, text.length);
        uint32_t id = 0;

        if (!slice_starts_with(path, SLICE("_ZN")))
            continue;
        id = is_own(names, path) ? intern_find(&names->paths, path) : INTERN_NONE;
        if (id != INTERN_NONE)
            names->has_own.items[id] = names->has_path = true;
        return;
    }
}

static void look_through(struct rlib_names *names, struct slice text, uint32_t crate)
{
    size_t at = 0;

    while (text.length - at >= END_BYTES) {
        const char *mark = memmem(text.data + at, text.length - at, MARK, MARK_BYTES);

        if (!mark || (size_t)(text.data + text.length - mark) < END_BYTES)
            return;
        if (names->own.length > 0)
            take_path(names, slice_range(text, 0, (size_t)(mark - text.data)));
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

bool rlib_names_compare(struct rlib_names *names, const char *path, uint32_t crate, struct slice name,
                        bool *is_other)
{
    bool is_read = false;

    names->own = name;
    names->has_name = false;
    names->has_path = false;
    is_read = rlib_names_read(names, path, crate);
    names->own = (struct slice){0};
    *is_other = names->has_path && !names->has_name;
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

bool rlib_names_has_path(struct rlib_names *names, struct slice symbol)
{
    struct slice name;
    struct slice hash;
    uint32_t id = take_legacy_name(names, symbol, &name, &hash) ? intern_find(&names->paths, path_of(name))
                                                                : INTERN_NONE;

    return id != INTERN_NONE && names->has_own.items[id];
}

void rlib_names_done(struct rlib_names *names)
{
    intern_done(&names->hashes);
    intern_done(&names->paths);
    vec_done(&names->has_own);
    vec_done(&names->names);
    vec_done(&names->crates);
    vec_done(&names->are_several);
    symbol_done(&names->symbol);
}
