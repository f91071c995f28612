#include "size/crates.h"

#include "base/ascii.h"
#include "base/hash.h"
#include "base/scan.h"
#include "base/text.h"
#include "dwarf/source_path.h"
#include "dwarf/units.h"
#include "rust/crate_name.h"
#include "rust/symbol_path.h"

/* The name as code writes it, in the scratch. */
static struct slice written_in_code(struct size_crates *crates, struct slice name)
{
    text_clear(&crates->scratch);
    crate_name_add(&crates->scratch, name);
    return text_slice(&crates->scratch);
}

static struct slice kept(struct size_crates *crates, struct slice text)
{
    if (text.length == 0)
        return (struct slice){0};
    return arena_slice(&crates->names.arena, text);
}

static uint32_t new_crate(struct size_crates *crates, uint32_t name, const struct crate_fact *fact)
{
    uint32_t crate = (uint32_t)crates->items.count;

    *vec_add(&crates->items) = (struct size_crate){
        .name = intern_text(&crates->names, name),
        .version = kept(crates, fact->version),
        .origin = kept(crates, fact->origin),
        .kind = fact->kind,
        .id = fact->id,
        .folder = fact->folder,
        .is_last = fact->is_last,
        .is_for_std = fact->is_for_std,
        .next = crates->first.items[name],
    };
    crates->first.items[name] = crate;
    return crate;
}

/* Whether the fact may be about the crate: nothing that both know differs. */
static bool may_be(const struct size_crate *crate, const struct crate_fact *fact)
{
    if (crate->is_ambiguous)
        return false;
    if (fact->origin.length > 0 && crate->origin.length > 0 && !slice_equal(fact->origin, crate->origin))
        return false;
    if (crate->is_for_std && fact->kind == CRATE_KIND_DEPENDENCY)
        return slice_equal(fact->version, crate->version);
    /* std is built with crates that the program may have too. */
    if (crate->kind != CRATE_KIND_UNKNOWN && fact->kind != CRATE_KIND_UNKNOWN &&
        (crate->kind == CRATE_KIND_STD) != (fact->kind == CRATE_KIND_STD))
        return false;
    if (fact->version.length > 0 && crate->version.length > 0)
        return slice_equal(fact->version, crate->version);
    if (fact->version.length == 0 && crate->version.length == 0 && fact->folder != 0 && crate->folder != 0 &&
        fact->folder != crate->folder)
        return false;
    /* A package's library and program are two crates to the compiler. */
    if (crate->kind == CRATE_KIND_OWN && fact->kind != CRATE_KIND_DEPENDENCY)
        return true;
    /* Of one package there may be several hashes, but without versions they are all there is to go by. */
    return fact->id == 0 || crate->id == 0 || fact->id == crate->id;
}

/* Whether both know the version, and it is one. */
static bool is_same_version(const struct size_crate *crate, const struct crate_fact *fact)
{
    return fact->version.length > 0 && slice_equal(fact->version, crate->version);
}

/*
 * The only crate of the name that may be meant, SIZE_NO_CRATE for none; `count` says how many there are. One
 * of the version is meant, whichever others of unknown versions there are; of several of the version the one
 * of the package that is told, or that tells as little of it.
 */
static uint32_t find(const struct size_crates *crates, uint32_t name, const struct crate_fact *fact,
                     size_t *count)
{
    uint32_t found = SIZE_NO_CRATE;
    uint32_t same = SIZE_NO_CRATE;
    size_t same_count = 0;

    *count = 0;
    for (uint32_t at = crates->first.items[name]; at != SIZE_NO_CRATE; at = crates->items.items[at].next) {
        const struct size_crate *crate = &crates->items.items[at];

        if (!may_be(crate, fact))
            continue;
        if (is_same_version(crate, fact) && slice_equal(crate->origin, fact->origin)) {
            *count = 1;
            return at;
        }
        found = at;
        ++*count;
        if (is_same_version(crate, fact)) {
            same = at;
            same_count++;
        }
    }
    if (same_count > 0)
        *count = same_count;
    return same_count > 0 ? same : found;
}

/* The only crate of the name that was compiled last and may be meant; SIZE_NO_CRATE where there is none. */
static uint32_t find_last(const struct size_crates *crates, uint32_t name, const struct crate_fact *fact)
{
    uint32_t at = crates->first.items[name];

    while (at != SIZE_NO_CRATE &&
           !(crates->items.items[at].is_last && may_be(&crates->items.items[at], fact)))
        at = crates->items.items[at].next;
    return at;
}

/* The crate that stands for all of the name. */
static uint32_t ambiguous_crate(struct size_crates *crates, uint32_t name)
{
    uint32_t crate = crates->first.items[name];

    for (; crate != SIZE_NO_CRATE; crate = crates->items.items[crate].next)
        if (crates->items.items[crate].is_ambiguous)
            return crate;
    crate = new_crate(crates, name, &(struct crate_fact){0});
    crates->items.items[crate].is_ambiguous = true;
    return crate;
}

static uint32_t settle(struct size_crates *crates, uint32_t name, const struct crate_fact *fact)
{
    size_t count = 0;
    uint32_t crate = find(crates, name, fact, &count);
    uint32_t last = SIZE_NO_CRATE;
    struct size_crate *item = NULL;

    /* Libraries tell their hashes before: one that none of several has told is the last crate's. */
    if (count > 1 && fact->version.length == 0 && fact->id != 0)
        last = find_last(crates, name, fact);
    if (last != SIZE_NO_CRATE) {
        crate = last;
        count = 1;
    }
    if (count == 0 || (count > 1 && fact->version.length > 0))
        return new_crate(crates, name, fact);
    if (count > 1)
        return fact->id ? new_crate(crates, name, fact) : ambiguous_crate(crates, name);
    item = &crates->items.items[crate];
    if (item->version.length == 0)
        item->version = kept(crates, fact->version);
    if (item->origin.length == 0)
        item->origin = kept(crates, fact->origin);
    if (item->kind == CRATE_KIND_UNKNOWN)
        item->kind = fact->kind;
    if (item->id == 0)
        item->id = fact->id;
    if (item->folder == 0)
        item->folder = fact->folder;
    item->is_last = item->is_last || fact->is_last;
    return crate;
}

static uint32_t add_name(struct size_crates *crates, struct slice text)
{
    uint32_t name = intern_add(&crates->names, written_in_code(crates, text));

    if (name == crates->first.count)
        *vec_add(&crates->first) = SIZE_NO_CRATE;
    return name;
}

uint32_t size_crates_add(struct size_crates *crates, const struct crate_fact *fact)
{
    uint32_t name = add_name(crates, fact->name);
    uint32_t crate = SIZE_NO_CRATE;
    uint32_t id = 0;

    if (fact->id == 0)
        return settle(crates, name, fact);
    text_clear(&crates->scratch);
    text_format(&crates->scratch, "%llx:%u", (unsigned long long)fact->id, name);
    id = intern_add(&crates->ids, text_slice(&crates->scratch));
    if (id < crates->of_id.count) {
        struct size_crate *known = &crates->items.items[crates->of_id.items[id]];

        if (known->kind == CRATE_KIND_UNKNOWN)
            known->kind = fact->kind;
        return crates->of_id.items[id];
    }
    crate = settle(crates, name, fact);
    *vec_add(&crates->of_id) = crate;
    return crate;
}

uint32_t size_crates_add_doubtful(struct size_crates *crates, struct slice text)
{
    uint32_t name = add_name(crates, text);

    for (uint32_t at = crates->first.items[name]; at != SIZE_NO_CRATE; at = crates->items.items[at].next)
        if (crates->items.items[at].version.length > 0 || crates->items.items[at].id != 0)
            return ambiguous_crate(crates, name);
    return settle(crates, name, &(struct crate_fact){.name = text});
}

bool size_crates_leave_doubt(const struct size_crates *crates, const struct crate_fact *fact)
{
    uint32_t name = intern_find(&crates->names, fact->name);
    size_t count = 0;

    if (name != INTERN_NONE)
        (void)find(crates, name, fact, &count);
    return count > 1;
}

bool size_crates_share_name(const struct size_crates *crates, uint32_t crate, const bool *is_used)
{
    uint32_t name = intern_find(&crates->names, crates->items.items[crate].name);

    for (uint32_t at = crates->first.items[name]; at != SIZE_NO_CRATE; at = crates->items.items[at].next)
        if (at != crate && is_used[at])
            return true;
    return false;
}

void size_crates_done(struct size_crates *crates)
{
    vec_done(&crates->items);
    vec_done(&crates->first);
    vec_done(&crates->of_id);
    intern_done(&crates->names);
    intern_done(&crates->ids);
    text_done(&crates->scratch);
}

bool crate_fact_of_codegen_unit(struct slice unit, struct crate_fact *out)
{
    struct scan scan = scan_of(unit);
    struct crate_fact fact = {0};

    if (!scan_until(&scan, '.', &fact.name) || fact.name.length == 0 || !scan_hex(&scan, &fact.id) ||
        !scan_text(&scan, "-cgu."))
        return false;
    if (symbol_crate_is_std(fact.name))
        fact.kind = CRATE_KIND_STD;
    *out = fact;
    return true;
}

/* In base 36; 25 digits since Rust 1.78, fewer before. */
bool codegen_unit_is_hashed(struct slice unit)
{
    enum { DIGITS_LEAST = 10, DIGITS_MOST = 25 };

    for (size_t i = 0; i < unit.length; i++)
        if (!ascii_is_digit(unit.data[i]) && !(unit.data[i] >= 'a' && unit.data[i] <= 'z'))
            return false;
    return unit.length >= DIGITS_LEAST && unit.length <= DIGITS_MOST;
}

struct slice codegen_unit_of_object(struct slice file)
{
    struct slice rest = slice_range(file, slice_find_byte(file, '.') + 1, file.length);
    size_t end = slice_find(rest, SLICE(".rcgu."));
    struct slice unit = slice_range(rest, 0, end);
    struct slice first = slice_range(unit, 0, slice_find_byte(unit, '.'));
    struct crate_fact named;

    if (end == rest.length)
        return (struct slice){0};
    return codegen_unit_is_hashed(first) && !crate_fact_of_codegen_unit(unit, &named) ? first : unit;
}

bool crate_fact_of_object(struct slice file, struct crate_fact *out)
{
    struct slice unit = codegen_unit_of_object(file);
    struct slice stem = slice_range(file, 0, slice_find_byte(file, '.'));
    struct slice name = slice_range(stem, 0, slice_find_last_byte(stem, '-'));

    if (!codegen_unit_is_hashed(unit))
        return crate_fact_of_codegen_unit(unit, out);
    if (name.length == 0)
        return false;
    *out = (struct crate_fact){.name = name};
    return true;
}

/* The part of `from` that stands where `part` stands in a copy of it. */
static struct slice same_part(struct slice from, const struct text *copy, struct slice part)
{
    size_t start = part.length > 0 ? (size_t)(part.data - copy->data) : 0;

    return slice_range(from, start, start + part.length);
}

/* Whose package a folder is of, or a file's. */
static struct source_origin origin_of(struct slice path, bool is_folder)
{
    SCOPED(text_done) struct text copy = {0};
    struct source_origin origin;

    text_add(&copy, path);
    if (is_folder)
        text_add_string(&copy, "/-");
    origin = source_path_origin(text_slice(&copy));
    origin.package = same_part(path, &copy, origin.package);
    origin.version = same_part(path, &copy, origin.version);
    origin.path = (struct slice){0};
    return origin;
}

static bool take_path(struct slice path, bool is_folder, struct crate_fact *out)
{
    struct source_origin origin = origin_of(path, is_folder);
    struct crate_fact fact = {
        .name = origin.package, .version = origin.version, .kind = CRATE_KIND_DEPENDENCY};

    if (origin.kind == SOURCE_STD || origin.kind == SOURCE_STD_DEPS)
        fact.kind = CRATE_KIND_STD;
    if (origin.kind == SOURCE_LOCAL) {
        if (!source_path_of_build_script(path, &fact.name))
            return false;
        fact.version = (struct slice){0};
    }
    *out = fact;
    return true;
}

bool crate_is_never_merged(struct slice name)
{
    return slice_is(name, "compiler_builtins");
}

struct crate_fact crate_fact_of_path(struct slice directory, struct slice path)
{
    struct crate_fact fact = {0};

    if (take_path(path, false, &fact) || slice_starts_with(path, SLICE("/")))
        return fact;
    /* A relative path counts from the directory. */
    return take_path(directory, true, &fact) ? fact : (struct crate_fact){0};
}

/* Of the folder that the package is in whose root file is at a path below the directory. */
static uint64_t hash_folder(struct slice directory, struct slice root)
{
    SCOPED(text_done) struct text path = {0};
    struct slice folder;

    text_add(&path, directory);
    text_add_byte(&path, '/');
    text_add(&path, root);
    folder = source_path_package_folder(text_slice(&path));
    return folder.length > 0 ? hash_fnv1a_64(folder) : 0;
}

/* A path that is relative is of what was built in its folder. */
void crate_fact_locate(const struct unit *unit, struct crate_fact *fact)
{
    struct slice root = unit_root(unit);
    struct crate_fact located = crate_fact_of_path(unit->directory, root);

    if (fact->kind == CRATE_KIND_STD || located.kind == CRATE_KIND_STD)
        fact->kind = CRATE_KIND_STD;
    else
        fact->kind = root.length == 0 || slice_starts_with(root, SLICE("/")) ? located.kind : CRATE_KIND_OWN;
    fact->version = located.version;
    if (fact->kind == CRATE_KIND_OWN)
        fact->folder = hash_folder(unit->directory, root);
}

bool crate_fact_of_split_unit(const struct unit *unit, struct crate_fact *out)
{
    return unit->name.length == 0 && crate_fact_of_object(slice_file_name(unit->split_name), out);
}

bool crate_fact_of_unit(const struct unit *unit, struct crate_fact *out)
{
    struct crate_fact fact;

    if (!crate_fact_of_codegen_unit(unit_codegen_unit(unit), &fact) && !crate_fact_of_split_unit(unit, &fact))
        return false;
    crate_fact_locate(unit, &fact);
    *out = fact;
    return true;
}
