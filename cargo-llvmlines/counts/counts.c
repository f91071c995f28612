#include "counts/counts.h"

#include <errno.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/scan.h"

static const char header[] = "cargo-llvmlines counts 3\n";

enum { FIXED_BYTES = 8, SIZE_BYTES_MAX = 1 << 30, KINDS = 4, INLININGS = IR_INLINE_NEVER + 1 };

/* What is shared again and again makes little input large; so only so much of each symbol may be. */
enum { SHARED_BYTES_MAX = 255 };

/* --- Writing ------------------------------------------------------------------------- */

static void add_name(struct text *text, struct slice name)
{
    text_add_uleb128(text, name.length);
    text_add(text, name);
}

/* The lowest byte first. */
static void add_fixed(struct text *text, uint64_t number)
{
    for (int i = 0; i < FIXED_BYTES; i++)
        text_add_byte(text, (char)(number >> (8 * i)));
}

static size_t shared_bytes(struct slice a, struct slice b)
{
    size_t length = 0;

    while (length < SHARED_BYTES_MAX && length < a.length && length < b.length &&
           a.data[length] == b.data[length])
        length++;
    return length;
}

static void add_symbols(const struct unit_counts *counts, struct text *content)
{
    struct slice before = {0};

    text_add_uleb128(content, counts->symbols.count);
    for (size_t i = 0; i < counts->symbols.count; i++) {
        struct slice symbol = counts->symbols.items[i];
        size_t shared = shared_bytes(before, symbol);

        text_add_uleb128(content, shared);
        add_name(content, slice_range(symbol, shared, symbol.length));
        before = symbol;
    }
}

static void add_node(const struct unit_counts *counts, const struct counted_node *node, struct text *content)
{
    uint32_t before = 0;

    text_add_uleb128(content, node->symbol);
    text_add_uleb128(content, node->kind + KINDS * (uint64_t)node->inlining);
    text_add_uleb128(content, node->lines);
    text_add_uleb128(content, node->switches);
    text_add_uleb128(content, node->use_count);
    for (size_t i = 0; i < node->use_count; i++) {
        uint32_t use = counts->uses.items[node->first_use + i];

        text_add_uleb128(content, use - before);
        before = use;
    }
}

void counts_encode(const struct unit_counts *counts, struct text *content)
{
    size_t start = content->length;
    uint64_t hash = 0;

    text_add_string(content, header);
    add_name(content, counts->crate_name);
    add_fixed(content, counts->crate_disambiguator);
    text_add_uleb128(content, counts->dependencies.count);
    for (size_t i = 0; i < counts->dependencies.count; i++)
        add_name(content, counts->dependencies.items[i]);
    add_symbols(counts, content);
    text_add_uleb128(content, counts->nodes.count);
    for (size_t i = 0; i < counts->nodes.count; i++)
        add_node(counts, &counts->nodes.items[i], content);
    hash = hash_fnv1a_64(slice_range(text_slice(content), start, content->length));
    add_fixed(content, hash);
}

int counts_save(const struct unit_counts *counts, const char *path, struct error *err)
{
    SCOPED(text_done) struct text content = {0};

    counts_encode(counts, &content);
    /* After a crash of the machine the hash tells, and the unit is compiled again. */
    return file_replace_cached(path, text_slice(&content), err);
}

/* --- Reading ------------------------------------------------------------------------- */

static bool scan_number(struct scan *scan, uint64_t *number)
{
    uint64_t value = 0;
    struct slice byte;

    for (unsigned shift = 0; shift < 63 && scan_bytes(scan, 1, &byte); shift += 7) {
        value |= (uint64_t)((unsigned char)byte.data[0] & 0x7f) << shift;
        if (!((unsigned char)byte.data[0] & 0x80)) {
            *number = value;
            return true;
        }
    }
    return false;
}

static bool scan_fixed(struct scan *scan, uint64_t *number)
{
    struct slice bytes;

    if (!scan_bytes(scan, FIXED_BYTES, &bytes))
        return false;
    *number = 0;
    for (size_t i = 0; i < FIXED_BYTES; i++)
        *number |= (uint64_t)(unsigned char)bytes.data[i] << (8 * i);
    return true;
}

/* A number below `end`. */
static bool scan_index(struct scan *scan, uint64_t end, uint32_t *index)
{
    struct scan ahead = *scan;
    uint64_t number = 0;

    if (!scan_number(&ahead, &number) || number >= end || number > UINT32_MAX)
        return false;
    *index = (uint32_t)number;
    *scan = ahead;
    return true;
}

static bool scan_name(struct scan *scan, struct slice *name)
{
    uint64_t length = 0;

    return scan_number(scan, &length) && scan_bytes(scan, length, name);
}

static bool read_dependencies(struct scan *scan, struct unit_counts *out)
{
    uint64_t count = 0;
    struct slice name;

    if (!scan_number(scan, &count))
        return false;
    for (; count > 0; count--) {
        if (!scan_name(scan, &name))
            return false;
        *vec_add(&out->dependencies) = arena_slice(&out->arena, name);
    }
    return true;
}

/* `symbol` holds the one before, which the next begins with. */
static bool read_symbol(struct scan *scan, struct text *symbol, struct unit_counts *out)
{
    uint32_t shared = 0;
    struct slice rest;
    struct slice before = out->symbols.count ? out->symbols.items[out->symbols.count - 1] : (struct slice){0};
    struct slice found;

    if (!scan_index(scan, SHARED_BYTES_MAX + 1, &shared) || shared > symbol->length ||
        !scan_name(scan, &rest))
        return false;
    symbol->length = shared;
    text_add(symbol, rest);
    found = text_slice(symbol);
    if (out->symbols.count > 0 && slice_compare(before, found) >= 0)
        return false;
    *vec_add(&out->symbols) = arena_slice(&out->arena, found);
    return true;
}

static bool read_symbols(struct scan *scan, struct unit_counts *out)
{
    SCOPED(text_done) struct text symbol = {0};
    uint64_t count = 0;

    if (!scan_number(scan, &count))
        return false;
    for (; count > 0; count--)
        if (!read_symbol(scan, &symbol, out))
            return false;
    return true;
}

static bool read_uses(struct scan *scan, struct unit_counts *out, struct counted_node *node)
{
    uint64_t count = 0;
    uint64_t use = 0;
    uint64_t gap = 0;

    if (!scan_number(scan, &count))
        return false;
    node->first_use = out->uses.count;
    for (uint64_t i = 0; i < count; i++) {
        if (!scan_number(scan, &gap) || gap >= out->symbols.count || (i > 0 && gap == 0))
            return false;
        use += gap;
        if (use >= out->symbols.count)
            return false;
        *vec_add(&out->uses) = (uint32_t)use;
    }
    node->use_count = count;
    return true;
}

static bool has_mark(struct slice symbol)
{
    return symbol.length > 0 && symbol.data[0] == DATA_MARK;
}

static bool read_node(struct scan *scan, struct unit_counts *out)
{
    struct counted_node node = {0};
    uint32_t kinds = 0;

    if (!scan_index(scan, out->symbols.count, &node.symbol) || !scan_index(scan, KINDS * INLININGS, &kinds) ||
        !scan_number(scan, &node.lines) || !scan_number(scan, &node.switches) || !read_uses(scan, out, &node))
        return false;
    node.kind = (uint8_t)(kinds % KINDS);
    node.inlining = (uint8_t)(kinds / KINDS);
    if (node.kind > COUNTED_DATA || node.switches > node.lines ||
        (node.kind != COUNTED_FUNCTION && node.lines > 0) ||
        (node.kind == COUNTED_DATA) != has_mark(out->symbols.items[node.symbol]))
        return false;
    *vec_add(&out->nodes) = node;
    return true;
}

static bool read_nodes(struct scan *scan, struct unit_counts *out)
{
    uint64_t count = 0;

    if (!scan_number(scan, &count))
        return false;
    for (; count > 0; count--)
        if (!read_node(scan, out))
            return false;
    return scan_at_end(scan);
}

static bool hash_is_right(struct slice content, struct slice *hashed)
{
    size_t length = content.length < FIXED_BYTES ? 0 : content.length - FIXED_BYTES;
    struct scan end = scan_of(slice_range(content, length, content.length));
    uint64_t hash = 0;

    *hashed = slice_range(content, 0, length);
    return length > 0 && scan_fixed(&end, &hash) && hash == hash_fnv1a_64(*hashed);
}

static int decode(struct scan scan, const char *name, struct slice crate_name, struct unit_counts *out,
                  struct error *err)
{
    struct slice written_for;

    if (!scan_text(&scan, header) || !scan_name(&scan, &written_for))
        return error_set(err, ERROR_FORMAT, "%s: damaged", name);
    if (!slice_equal(written_for, crate_name))
        return error_set(err, ERROR_FORMAT, "%s: counts of another crate", name);
    out->crate_name = arena_slice(&out->arena, written_for);
    if (!scan_fixed(&scan, &out->crate_disambiguator) || !read_dependencies(&scan, out) ||
        !read_symbols(&scan, out) || !read_nodes(&scan, out))
        return error_set(err, ERROR_FORMAT, "%s: damaged", name);
    return 0;
}

int counts_decode(struct slice content, const char *name, struct slice crate_name, struct unit_counts *out,
                  struct error *err)
{
    struct scan scan = scan_of(content);

    *out = (struct unit_counts){0};
    if (!scan_text(&scan, header))
        return error_set(err, ERROR_FORMAT, "%s: not counts, or of another version", name);
    if (!hash_is_right(content, &content))
        return error_set(err, ERROR_FORMAT, "%s: damaged", name);
    if (decode(scan_of(content), name, crate_name, out, err) == 0)
        return 0;
    unit_counts_done(out);
    return -1;
}

int counts_load(const char *path, struct slice crate_name, struct unit_counts *out, struct error *err)
{
    SCOPED(text_done) struct text content = {0};
    struct stat about = {0};

    *out = (struct unit_counts){0};
    if (stat(path, &about) < 0 && errno == ENOENT)
        return error_set(err, ERROR_MISSING, "%s: not there", path);
    if (S_ISDIR(about.st_mode))
        return error_set(err, ERROR_FORMAT, "%s: a folder, not counts", path);
    if (file_read(path, SIZE_BYTES_MAX, &content, err) < 0)
        return -1;
    return counts_decode(text_slice(&content), path, crate_name, out, err);
}
