#include "delta/crate_versions.h"

#include "base/ascii.h"
#include "base/memory.h"
#include "base/scan.h"
#include "rust/crate_name.h"

#define NO_PAIR UINT32_MAX

/* --- Names ----------------------------------------------------------------------------- */

static bool is_name_byte(char byte)
{
    return ascii_is_name(byte) || (unsigned char)byte >= 0x80;
}

static bool is_package_byte(char byte)
{
    return is_name_byte(byte) || byte == '-';
}

static bool is_version_byte(char byte)
{
    return ascii_is_alphanumeric(byte) || byte == '.' || byte == '-' || byte == '+';
}

static struct slice take(struct scan *scan, bool (*is_kind)(char byte))
{
    struct slice taken;
    size_t length = 0;

    while (length < scan->rest.length && is_kind(scan->rest.data[length]))
        length++;
    (void)scan_bytes(scan, length, &taken);
    return taken;
}

/* " (version unknown)" at the end: of a crate that others share their name with. */
static bool scan_unknown_version(struct scan *scan, struct slice *version)
{
    static const char unknown[] = " (version unknown)";

    if (!slice_is(scan->rest, unknown))
        return false;
    *version = (struct slice){0};
    return scan_text(scan, unknown);
}

/* "@1.0.109" before anything, " 1.0.109" at the end. */
static bool scan_version(struct scan *scan, struct slice *version)
{
    struct scan ahead = *scan;
    bool is_last = scan_byte(&ahead, ' ');
    struct slice taken;

    if (scan_unknown_version(scan, version))
        return true;
    if ((!is_last && !scan_byte(&ahead, '@')) || !ascii_is_digit(scan_peek(&ahead)))
        return false;
    taken = take(&ahead, is_version_byte);
    if (is_last && !scan_at_end(&ahead))
        return false;
    *version = taken;
    *scan = ahead;
    return true;
}

/* "@std": std's own copy is a crate of its own, and no version of the program's. */
static bool scan_of_std(struct scan *scan)
{
    struct scan ahead = *scan;

    if (!scan_text(&ahead, "@std") || is_name_byte(scan_peek(&ahead)))
        return false;
    *scan = ahead;
    return true;
}

struct named_crate named_crate_of(struct slice text)
{
    struct scan scan = scan_of(text);
    struct named_crate named = {0};

    /* An impl for anything is its trait's. */
    if (!scan_text(&scan, "<_ as "))
        scan_skip_any(&scan, "<");
    named.name = take(&scan, is_name_byte);
    if (named.name.length > 0 && scan_of_std(&scan))
        named.name.length += SLICE("@std").length;
    else if (named.name.length > 0)
        (void)scan_version(&scan, &named.version);
    named.rest = scan.rest;
    return named;
}

struct slice crate_without_version(struct slice crate)
{
    struct named_crate named = named_crate_of(crate);

    return named.rest.length == 0 ? named.name : crate;
}

/* --- Versions -------------------------------------------------------------------------- */

void crate_versions_done(struct crate_versions *versions)
{
    intern_done(&versions->crates);
    intern_done(&versions->keys);
    vec_done(&versions->items);
    vec_done(&versions->is_several);
}

static void add_key(struct text *key, struct slice crate, struct slice version, bool is_after)
{
    text_add(key, crate);
    text_add_byte(key, is_after ? '>' : '<');
    text_add(key, version);
}

/* What a label has behind the name where the result may have several crates of it: "[1f2e]", " (version
 * unknown)".
 */
static bool is_one_of_several(struct slice rest)
{
    return slice_starts_with(rest, SLICE("[")) || slice_is(rest, " (version unknown)");
}

void crate_versions_add(struct crate_versions *versions, struct slice crate, struct slice version,
                        struct slice label, bool is_after)
{
    SCOPED(text_done) struct text key = {0};
    uint32_t id = 0;

    add_key(&key, crate, version, is_after);
    id = intern_add(&versions->keys, text_slice(&key));
    if (id < versions->items.count)
        return;
    *vec_add(&versions->items) = (struct crate_version){
        .crate = intern_add(&versions->crates, crate),
        .version = slice_range(intern_text(&versions->keys, id), crate.length + 1, key.length),
        .label = label,
        .is_one_of_several = is_one_of_several(slice_range(label, crate.length, label.length)),
        .is_after = is_after,
        .pair = NO_PAIR,
    };
    if (versions->crates.entries.count > versions->is_several.count)
        *vec_add(&versions->is_several) = false;
}

/* The next number of a version; 0 where it has no more. */
static uint64_t next_number(struct scan *scan)
{
    uint64_t number = 0;

    if (scan_decimal(scan, &number))
        scan_byte(scan, '.');
    return number;
}

static int compare_versions(struct slice left, struct slice right)
{
    enum { NUMBERS = 3 };
    struct scan a = scan_of(left);
    struct scan b = scan_of(right);

    for (size_t i = 0; i < NUMBERS; i++) {
        uint64_t x = next_number(&a);
        uint64_t y = next_number(&b);

        if (x != y)
            return x < y ? -1 : 1;
    }
    return slice_compare(left, right);
}

/* By crate, the highest version first, so that the unknown one is last. */
static int compare_items(const void *left, const void *right, void *context)
{
    const struct crate_version *items = context;
    const struct crate_version *a = &items[*(const uint32_t *)left];
    const struct crate_version *b = &items[*(const uint32_t *)right];
    int order = 0;

    if (a->crate != b->crate)
        return a->crate < b->crate ? -1 : 1;
    order = compare_versions(b->version, a->version);
    return order ? order : (int)a->is_after - (int)b->is_after;
}

typedef bool belongs_fn(const struct crate_version *before, const struct crate_version *after);

static bool is_same(const struct crate_version *before, const struct crate_version *after)
{
    return slice_equal(before->version, after->version);
}

static bool is_compatible(const struct crate_version *before, const struct crate_version *after)
{
    enum { NUMBERS = 3 };
    struct scan a = scan_of(before->version);
    struct scan b = scan_of(after->version);

    if (before->version.length == 0 || after->version.length == 0)
        return false;
    for (size_t i = 0; i < NUMBERS; i++) {
        uint64_t x = next_number(&a);
        uint64_t y = next_number(&b);

        if (x != y || x != 0)
            return x == y;
    }
    return false;
}

/* Which of several versions it is nothing tells. */
static bool is_left(const struct crate_version *before, const struct crate_version *after)
{
    return !before->is_one_of_several && !after->is_one_of_several;
}

/* The versions of one crate, and where in them the pairing stands. */
struct namesakes {
    struct crate_version *items;
    const uint32_t *places; /* of items, sorted */
    size_t count;
    uint32_t *pairs; /* how many there are, of all crates */
};

static struct crate_version *namesake(const struct namesakes *namesakes, size_t at)
{
    return &namesakes->items[namesakes->places[at]];
}

/*
 * Whether one side has two versions or more. That some rows do not tell is none of its own; but on both sides
 * they are another crate's, as of std's, of which a hash is known, where the one version is shown beside
 * them.
 */
static bool are_several(const struct namesakes *namesakes)
{
    size_t known[2] = {0};
    bool is_shown[2] = {false};
    bool is_untold[2] = {false};

    for (size_t i = 0; i < namesakes->count; i++) {
        const struct crate_version *version = namesake(namesakes, i);

        known[version->is_after] += version->version.length > 0;
        is_shown[version->is_after] |= named_crate_of(version->label).version.length > 0;
        is_untold[version->is_after] |= version->version.length == 0;
    }
    return known[false] > 1 || known[true] > 1 ||
           (is_shown[false] && is_untold[false] && is_shown[true] && is_untold[true]);
}

static void pair(const struct namesakes *namesakes, belongs_fn *belong)
{
    for (size_t i = 0; i < namesakes->count; i++) {
        struct crate_version *before = namesake(namesakes, i);

        for (size_t j = 0; j < namesakes->count && !before->is_after && before->pair == NO_PAIR; j++) {
            struct crate_version *after = namesake(namesakes, j);

            if (after->is_after && after->pair == NO_PAIR && belong(before, after))
                before->pair = after->pair = (*namesakes->pairs)++;
        }
    }
}

static void pair_all(const struct namesakes *namesakes)
{
    pair(namesakes, is_same);
    pair(namesakes, is_compatible);
    pair(namesakes, is_left);
    for (size_t i = 0; i < namesakes->count; i++)
        if (namesake(namesakes, i)->pair == NO_PAIR)
            namesake(namesakes, i)->pair = (*namesakes->pairs)++;
}

void crate_versions_finish(struct crate_versions *versions)
{
    size_t count = versions->items.count;
    SCOPED(memory_free_at) uint32_t *places = memory_new(count + 1, sizeof(uint32_t));
    uint32_t pairs = 0;

    for (uint32_t i = 0; i < count; i++)
        places[i] = i;
    if (count > 1)
        qsort_r(places, count, sizeof(uint32_t), compare_items, versions->items.items);
    for (size_t start = 0, end = 0; start < count; start = end) {
        uint32_t crate = versions->items.items[places[start]].crate;
        struct namesakes namesakes = {versions->items.items, &places[start], 0, &pairs};

        while (end < count && versions->items.items[places[end]].crate == crate)
            end++;
        namesakes.count = end - start;
        versions->is_several.items[crate] = are_several(&namesakes);
        pair_all(&namesakes);
    }
}

const struct crate_version *crate_versions_find(const struct crate_versions *versions, struct slice crate,
                                                struct slice version, bool is_after)
{
    SCOPED(text_done) struct text key = {0};
    const struct crate_version *found = NULL;
    uint32_t id = INTERN_NONE;

    add_key(&key, crate, version, is_after);
    id = intern_find(&versions->keys, text_slice(&key));
    if (id == INTERN_NONE)
        return NULL;
    found = &versions->items.items[id];
    return versions->is_several.items[found->crate] ? found : NULL;
}

const struct crate_version *crate_versions_other(const struct crate_versions *versions,
                                                 const struct crate_version *one)
{
    for (size_t i = 0; i < versions->items.count; i++)
        if (versions->items.items[i].pair == one->pair && versions->items.items[i].is_after != one->is_after)
            return &versions->items.items[i];
    return NULL;
}

/*
 * " (of syn)" behind the crate of that package's name, which is shown where a result has a crate of its name
 * from another package, too: elsewhere this one is just "syn".
 */
static bool scan_own_package(struct scan *scan, struct slice crate)
{
    struct scan ahead = *scan;
    struct slice package;

    if (!scan_text(&ahead, " (of "))
        return false;
    package = take(&ahead, is_package_byte);
    if (!scan_byte(&ahead, ')') || !crate_name_is(crate, package))
        return false;
    *scan = ahead;
    return true;
}

void crate_versions_add_name(const struct crate_versions *versions, struct slice text, struct slice own,
                             bool is_after, struct text *name, struct text *pairs)
{
    struct named_crate first = named_crate_of(text);
    const struct crate_version *shown = NULL;
    const struct crate_version *told = crate_versions_find(versions, first.name, own, is_after);
    struct scan scan = scan_of(text);
    struct slice version;
    struct slice byte;

    if (told)
        text_format(pairs, "%u", told->pair);
    while (!scan_at_end(&scan)) {
        struct slice word = take(&scan, is_name_byte);
        struct scan ahead = scan;

        text_add(name, word);
        if (word.length > 0 && scan_own_package(&scan, word))
            continue;
        if (word.length > 0 && scan_version(&ahead, &version) &&
            (shown = crate_versions_find(versions, word, version, is_after))) {
            scan = ahead;
            if (shown != told)
                text_format(pairs, " %u", shown->pair);
        } else if (scan_bytes(&scan, 1, &byte)) {
            text_add(name, byte);
        }
    }
}
