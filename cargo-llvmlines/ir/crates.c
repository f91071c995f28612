#include "ir/crates.h"

#include "base/ascii.h"
#include "base/scan.h"
#include "rust/std_crates.h"

void crates_done(struct crates *crates)
{
    vec_done(&crates->items);
    arena_done(&crates->arena);
}

static const struct crate *find(const struct crates *crates, struct slice name, uint64_t disambiguator)
{
    for (size_t i = 0; i < crates->items.count; i++)
        if (crates->items.items[i].disambiguator == disambiguator &&
            slice_equal(crates->items.items[i].name, name))
            return &crates->items.items[i];
    return NULL;
}

void crates_add(struct crates *crates, struct crate crate)
{
    if (find(crates, crate.name, crate.disambiguator))
        return;
    *vec_add(&crates->items) =
        (struct crate){arena_slice(&crates->arena, crate.name),    crate.disambiguator,
                       arena_slice(&crates->arena, crate.version), arena_slice(&crates->arena, crate.kind),
                       arena_slice(&crates->arena, crate.package), crate.is_std};
}

/* How many others share the name, of these the version, of these the package, or the kind of target. */
struct namesakes {
    size_t name;
    size_t version;
    size_t package;
    size_t kind;
};

static struct namesakes count_namesakes(const struct crates *crates, const struct crate *crate)
{
    struct namesakes count = {0};

    for (size_t i = 0; i < crates->items.count; i++) {
        const struct crate *other = &crates->items.items[i];
        bool is_version = slice_equal(other->version, crate->version);

        if (other == crate || other->is_std || !slice_equal(other->name, crate->name))
            continue;
        count.name++;
        count.version += is_version;
        count.package += is_version && slice_equal(other->package, crate->package);
        count.kind += is_version && slice_equal(other->kind, crate->kind);
    }
    return count;
}

static bool has_name(const struct crates *crates, struct slice name)
{
    for (size_t i = 0; i < crates->items.count; i++)
        if (slice_equal(crates->items.items[i].name, name))
            return true;
    return false;
}

/* Whether a crate that is not in the table could be taken for one that is, or for another that is not. */
static bool is_ambiguous(const struct crates *crates, struct slice name)
{
    return crates->items.count == 0 || crates->is_partial || has_name(crates, name);
}

/*
 * Whether a crate that is none of the table's is the one that std was built with: the table has all of the
 * build that share a name with one of std's, and knows those of this name, or all with v0 names are std's. It
 * does not matter whether there are any: what it is called must not change with what else a build has.
 */
static bool is_of_std(const struct crates *crates, struct slice name)
{
    if ((!crates->has_namesakes_of_std && !crates->is_std_v0) || !std_crates_depend_on(name))
        return false;
    for (size_t i = 0; i < crates->items.count; i++)
        if (crates->items.items[i].disambiguator == 0 && slice_equal(crates->items.items[i].name, name))
            return false;
    return true;
}

static void add_what_tells(const struct crates *crates, const struct crate *crate, struct text *text)
{
    struct namesakes namesakes = count_namesakes(crates, crate);

    if (namesakes.version < namesakes.name)
        text_format(text, "@%.*s", SLICE_ARGUMENTS(crate->version));
    if (namesakes.version == 0)
        return;
    /* The package alone, where it does: cargo bloatc's words. */
    if (namesakes.package == 0)
        text_format(text, " (of %.*s)", SLICE_ARGUMENTS(crate->package));
    else if (namesakes.kind == 0)
        text_format(text, " (%.*s)", SLICE_ARGUMENTS(crate->kind));
    else
        text_format(text, " (%.*s of %.*s)", SLICE_ARGUMENTS(crate->kind), SLICE_ARGUMENTS(crate->package));
}

void crates_add_label(const struct crates *crates, struct slice name, uint64_t disambiguator,
                      struct text *text)
{
    const struct crate *crate = find(crates, name, disambiguator);

    text_add(text, name);
    if (!crate) {
        if (disambiguator != 0 && is_of_std(crates, name))
            text_add_string(text, "@std");
        else if (disambiguator != 0 && is_ambiguous(crates, name))
            text_format(text, "[%llx]", (unsigned long long)disambiguator);
        return;
    }
    if (crate->is_std) {
        text_add_string(text, "@std");
        return;
    }
    add_what_tells(crates, crate, text);
}

/* "[1f2e]" behind a crate's name. */
static bool scan_hash(struct scan *scan, uint64_t *hash)
{
    struct scan ahead = *scan;

    if (!scan_byte(&ahead, '[') || !scan_hex(&ahead, hash) || !scan_byte(&ahead, ']'))
        return false;
    *scan = ahead;
    return true;
}

static struct slice take_name(struct scan *scan)
{
    size_t length = 0;
    struct slice name;

    while (length < scan->rest.length && ascii_is_name(scan->rest.data[length]))
        length++;
    (void)scan_bytes(scan, length, &name);
    return name;
}

void crates_add_key(const struct crates *crates, struct slice key, struct text *text)
{
    struct scan scan = scan_of(key);
    uint64_t hash = 0;
    struct slice byte;

    while (!scan_at_end(&scan)) {
        struct slice name = take_name(&scan);

        if (name.length > 0 && scan_hash(&scan, &hash))
            crates_add_label(crates, name, hash, text);
        else if (name.length > 0)
            text_add(text, name);
        else if (scan_bytes(&scan, 1, &byte))
            text_add(text, byte);
    }
}

/* The hash that the key gives the crate of this name; 0 when it has none, or more than one. */
static uint64_t hash_in(struct slice key, struct slice name)
{
    struct scan scan = scan_of(key);
    uint64_t found = 0;
    uint64_t hash = 0;
    struct slice byte;

    while (!scan_at_end(&scan)) {
        struct slice other = take_name(&scan);

        if (other.length == 0)
            (void)scan_bytes(&scan, 1, &byte);
        else if (scan_hash(&scan, &hash) && slice_equal(other, name)) {
            if (found != 0 && found != hash)
                return 0;
            found = hash;
        }
    }
    return found;
}

/* Whether one of this name may be told, which is asked of every path and is quicker than to find its hash. */
static bool may_be_told(const struct crates *crates, struct slice name, enum crates_told told)
{
    return told == CRATES_ALL || is_of_std(crates, name) || has_name(crates, name);
}

static bool is_told(const struct crates *crates, struct slice name, uint64_t hash, enum crates_told told)
{
    const struct crate *crate = told == CRATES_OF_STD ? find(crates, name, hash) : NULL;

    return hash != 0 && (told != CRATES_OF_STD || (crate ? crate->is_std : is_of_std(crates, name)));
}

/* Appends the name that a path begins with, as a label where it is to be told which crate it is. */
static void add_crate(const struct crates *crates, struct slice key, struct slice name, enum crates_told told,
                      struct text *text)
{
    uint64_t hash = may_be_told(crates, name, told) ? hash_in(key, name) : 0;

    if (is_told(crates, name, hash, told))
        crates_add_label(crates, name, hash, text);
    else
        text_add(text, name);
}

void crates_add_readable(const struct crates *crates, struct slice key, struct slice readable,
                         enum crates_told told, struct text *text)
{
    struct scan scan = scan_of(readable);
    bool is_inside = false; /* of a path, or of what a label has behind the name: "@std" */
    struct slice byte;

    while (!scan_at_end(&scan)) {
        struct slice name = take_name(&scan);
        bool is_path = name.length == readable.length || slice_starts_with(scan.rest, SLICE("::"));

        if (name.length > 0 && is_path && !is_inside)
            add_crate(crates, key, name, told, text);
        else
            text_add(text, name);
        is_inside = slice_find_byte(SLICE(":@"), scan_peek(&scan)) < 2 ||
                    (is_inside && slice_find_byte(SLICE(".-+"), scan_peek(&scan)) < 3);
        if (scan_bytes(&scan, 1, &byte))
            text_add(text, byte);
    }
}

struct slice crates_version(const struct crates *crates, struct slice key)
{
    struct scan scan = scan_of(key);
    const struct crate *crate = NULL;
    uint64_t hash = 0;
    struct slice name;

    scan_skip_any(&scan, "<");
    name = take_name(&scan);
    if (scan_hash(&scan, &hash))
        crate = find(crates, name, hash);
    return crate && crate->version.length > 0 ? crate->version : (struct slice){0};
}
