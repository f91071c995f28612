#include "size/rlib_names.h"

#include <string.h>

#include "elf/archive.h"
#include "rust/symbol_path.h"

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

#define V0_START "_R"
enum { V0_START_BYTES = sizeof(V0_START) - 1 };

/* The same of a v0 name; what LLVM puts behind it begins with a point, which it has none of. */
static bool take_v0_name(struct slice symbol, struct slice *name)
{
    *name = slice_range(symbol, 0, slice_find_byte(symbol, '.'));
    return slice_starts_with(symbol, SLICE(V0_START));
}

/* The name, and what it is found by: a legacy one's hash, or itself. */
static bool take_name(struct rlib_names *names, struct slice symbol, struct slice *name, struct slice *key)
{
    if (take_legacy_name(names, symbol, name, key))
        return true;
    *key = *name = (struct slice){0};
    if (!take_v0_name(symbol, name))
        return false;
    *key = *name;
    return true;
}

void rlib_names_want(struct rlib_names *names, struct slice symbol)
{
    struct slice name;
    struct slice key;

    if (!take_name(names, symbol, &name, &key) || intern_add(&names->hashes, key) < names->names.count)
        return;
    if (slice_equal(name, key))
        *vec_add(&names->v0) = name;
    else if (intern_add(&names->paths, path_of(name)) == names->has_own.count) {
        *vec_add(&names->has_own) = false;
        *vec_add(&names->owners) =
            intern_add(&names->crate_names, symbol_defining_crate(&names->symbol).crate.name);
    }
    *vec_add(&names->names) = name;
    *vec_add(&names->crates) = SIZE_NO_CRATE;
    *vec_add(&names->are_several) = false;
    if (name.length > names->longest_bytes)
        names->longest_bytes = name.length;
}

/* The path of a function that the crate which is compared defines; INTERN_NONE for another. */
static uint32_t own_path(const struct rlib_names *names, struct slice path)
{
    uint32_t id = names->own.length > 0 ? intern_find(&names->paths, path) : INTERN_NONE;

    return id != INTERN_NONE &&
                   slice_equal(intern_text(&names->crate_names, names->owners.items[id]), names->own)
               ? id
               : INTERN_NONE;
}

static void note_crate(struct rlib_names *names, uint32_t id, uint32_t crate)
{
    if (names->crates.items[id] != SIZE_NO_CRATE && names->crates.items[id] != crate)
        names->are_several.items[id] = true;
    names->crates.items[id] = crate;
}

/* Whether a name that was asked for ends where `text` does, in these digits. */
static void take_found(struct rlib_names *names, struct slice hash, struct slice text, uint32_t crate)
{
    uint32_t id = intern_find(&names->hashes, hash);

    if (id == INTERN_NONE || !slice_ends_with(text, names->names.items[id]))
        return;
    /* It names what it calls, too. */
    names->has_name |= own_path(names, path_of(names->names.items[id])) != INTERN_NONE;
    note_crate(names, id, crate);
}

static int compare_names(const void *left, const void *right)
{
    return slice_compare(*(const struct slice *)left, *(const struct slice *)right);
}

/*
 * Whether a v0 name that was asked for begins where `text` does. None is the start of another one, unless
 * that goes on with the crate that made an instance, whose path begins with a C: so the last that does not
 * come after the text is the only one that it may begin with.
 */
static void take_v0_found(struct rlib_names *names, struct slice text, uint32_t crate)
{
    const struct slice *sorted = names->v0.items;
    size_t low = 0;
    size_t high = names->v0.count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (slice_compare(sorted[middle], text) <= 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low > 0 && text.length > sorted[low - 1].length && slice_starts_with(text, sorted[low - 1]) &&
        text.data[sorted[low - 1].length] != 'C')
        note_crate(names, intern_find(&names->hashes, sorted[low - 1]), crate);
}

static void look_through_v0(struct rlib_names *names, struct slice text, uint32_t crate)
{
    const char *end = text.data + text.length;
    const char *at = text.data;

    if (names->v0.count == 0)
        return;
    while ((at = memmem(at, (size_t)(end - at), V0_START, V0_START_BYTES))) {
        take_v0_found(names, (struct slice){at, (size_t)(end - at)}, crate);
        at += V0_START_BYTES;
    }
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
        id = own_path(names, path);
        if (id != INTERN_NONE)
            names->has_own.items[id] = names->has_path = true;
        return;
    }
}

static void look_through(struct rlib_names *names, struct slice text, uint32_t crate)
{
    size_t at = 0;

    if (names->names.count == names->v0.count) /* all are v0 names */
        return;
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
        size_t most = names->longest_bytes + 1; /* and what is behind it */
        size_t kept = block->length < most ? block->length : most;
        struct error ignored = {0};

        /* A name may go on from the block before. */
        if (kept > 0)
            memmove(block->data, block->data + block->length - kept, kept);
        block->length = kept;
        if (archive_read_part(archive, member, done, text_extend(block, length), length, &ignored) < 0)
            return false;
        look_through(names, text_slice(block), crate);
        look_through_v0(names, text_slice(block), crate);
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
    if (!names->is_sorted)
        vec_sort(&names->v0, compare_names);
    names->is_sorted = true;
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
    struct slice key;
    uint32_t id = 0;

    if (!take_name(names, symbol, &name, &key))
        return false;
    id = intern_find(&names->hashes, key);
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
    intern_done(&names->crate_names);
    vec_done(&names->owners);
    vec_done(&names->has_own);
    vec_done(&names->names);
    vec_done(&names->v0);
    vec_done(&names->crates);
    vec_done(&names->are_several);
    symbol_done(&names->symbol);
}
