#include "size/used/by_name.h"

#include "base/memory.h"
#include "rust/symbol_path.h"
#include "size/rlib_names.h"

/* Whether the index of the crate's library has a function of the file, hash and all. */
static bool is_in_index(const struct used_request *request, const struct used *out, uint32_t crate)
{
    for (size_t i = 0; i < request->map->functions.count; i++)
        if (out[i].source == USED_FROM_RLIB && out[i].crate == crate)
            return true;
    return false;
}

/* Crates of which a file of another build may have what no library of this one has. By name. */
struct others {
    struct intern built;   /* the crates of this build */
    struct intern changed; /* of these such whose libraries are not those that the file was made of */
    bool has_gone;         /* the file has functions of crates that this build has not */
};

static void others_done(struct others *others)
{
    intern_done(&others->built);
    intern_done(&others->changed);
}

static bool read_libraries(const struct used_request *request, struct size_crates *crates,
                           const struct used *out, struct rlib_names *names, struct others *others)
{
    bool are_all_read = true;

    for (size_t i = 0; names->names.count > 0 && i < request->package_count; i++) {
        const struct build_package *package = &request->packages[i];
        struct crate_fact fact = build_package_crate(package);
        uint32_t crate = size_crates_add(crates, &fact);
        bool is_other = false;

        intern_add(&others->built, crates->items.items[crate].name);
        if (!package->rlib || package->is_foreign)
            continue;
        if (request->is_other_build && !is_in_index(request, out, crate))
            are_all_read &=
                rlib_names_compare(names, package->rlib, crate, crates->items.items[crate].name, &is_other);
        else
            are_all_read &= rlib_names_read(names, package->rlib, crate);
        if (is_other)
            intern_add(&others->changed, crates->items.items[crate].name);
    }
    return are_all_read;
}

/*
 * Whether each crate that calls the function may have made a copy of its own under the one name: rustc does
 * so with what is inline and not generic. Hashes of instances tell the crate that made them, those of
 * closures and drop glue, which always have type arguments, among them.
 */
static bool may_be_copied(struct slice name)
{
    return !slice_has(name, SLICE("$u7b$$u7b$closure")) && !slice_has(name, SLICE("drop_in_place$LT$")) &&
           !slice_has(name, SLICE("drop_glue$LT$"));
}

/* Functions that a library has made or the last crate. All by function, but `last`. */
struct copies {
    const struct code_map *map;
    const bool *may_be_lasts;
    struct used *out;
    uint32_t last;
};

/* The crate of the function in the range, SIZE_NO_CRATE where that is not sure. */
static uint32_t sure_crate(const struct copies *copies, size_t range)
{
    uint32_t function = copies->map->ranges.items[range].function;

    if (function >= copies->map->functions.count || copies->may_be_lasts[function])
        return SIZE_NO_CRATE;
    switch (copies->out[function].source) {
    case USED_UNKNOWN:
    case USED_INFERRED:
        return SIZE_NO_CRATE;
    default:
        return copies->out[function].crate;
    }
}

/* By range: the crate of the nearest function behind it whose crate is sure. */
static uint32_t *crates_behind(const struct copies *copies)
{
    size_t count = copies->map->ranges.count;
    uint32_t *behind = memory_new(count, sizeof(*behind));
    uint32_t crate = SIZE_NO_CRATE;

    for (size_t i = count; i-- > 0;) {
        uint32_t sure = sure_crate(copies, i);

        behind[i] = crate;
        crate = sure != SIZE_NO_CRATE ? sure : crate;
    }
    return behind;
}

/*
 * Link-time optimisation leaves the functions of each crate together: a copy that stands among those of the
 * last crate is its own, one at their edge may be either's.
 */
static void settle_copies(const struct copies *copies)
{
    SCOPED(memory_free_at) uint32_t *behind = crates_behind(copies);
    uint32_t before = SIZE_NO_CRATE;

    for (size_t i = 0; i < copies->map->ranges.count; i++) {
        uint32_t function = copies->map->ranges.items[i].function;
        uint32_t sure = sure_crate(copies, i);
        struct used *used = NULL;

        before = sure != SIZE_NO_CRATE ? sure : before;
        if (function >= copies->map->functions.count || !copies->may_be_lasts[function])
            continue;
        used = &copies->out[function];
        if (before == copies->last && behind[i] == copies->last)
            *used = (struct used){copies->last, USED_INFERRED};
        else if (before == copies->last || behind[i] == copies->last)
            used->source = USED_INFERRED;
    }
}

static struct slice owner_of(struct rlib_names *names, struct slice name)
{
    symbol_parse(&names->symbol, name);
    return symbol_defining_crate(&names->symbol).crate.name;
}

static bool is_gone(const struct others *others, struct slice owner)
{
    return owner.length > 0 && !symbol_crate_is_std(owner) &&
           intern_find(&others->built, owner) == INTERN_NONE;
}

/* Whether the crate of a function that was asked for is gone. */
static bool is_any_gone(struct rlib_names *names, const struct others *others)
{
    for (size_t i = 0; i < names->names.count; i++)
        if (is_gone(others, owner_of(names, names->names.items[i])))
            return true;
    return false;
}

/*
 * What no library has is of the last crate, unless it may be of one that has changed, which has a function of
 * that path, or of one that is gone, or be std's and made by such a one.
 */
static struct used of_last(struct rlib_names *names, const struct others *others, struct used_last last,
                           struct slice name)
{
    struct slice owner;

    if (others->changed.entries.count == 0 && !others->has_gone)
        return (struct used){last.crate, USED_FROM_RLIB};
    owner = owner_of(names, name);
    if (symbol_crate_is_std(owner) || is_gone(others, owner) ||
        (intern_find(&others->changed, owner) != INTERN_NONE && rlib_names_has_path(names, name)))
        return (struct used){SIZE_NO_CRATE, USED_UNKNOWN};
    return (struct used){last.crate, USED_INFERRED};
}

/*
 * Whether libraries can tell who made the function. What calls a function of std's names it, too: beside
 * legacy names of the program v0 names tell std's, else the crates that they are of. These have other numbers
 * in another build.
 */
static bool is_asked_for(const struct used_request *request, struct std_copies *std, struct symbol *symbol,
                         struct slice name)
{
    bool is_sure = true;

    symbol_parse(symbol, name);
    if (std_copies_program_is_legacy(std))
        return symbol->kind != SYMBOL_RUST_V0;
    return symbol->kind == SYMBOL_RUST_V0 && !request->is_other_build &&
           std_copies_kind(std, symbol_defining_crate(symbol).crate, true, &is_sure) != CRATE_KIND_STD &&
           is_sure;
}

void used_by_name_find(const struct used_request *request, struct std_copies *std, struct size_crates *crates,
                       struct used_last last, struct used *out)
{
    const struct code_map *map = request->map;
    SCOPED(rlib_names_done) struct rlib_names names = {0};
    SCOPED(others_done) struct others others = {0};
    SCOPED(memory_free_at) bool *may_be_lasts = NULL;
    bool are_all_read = false;

    if (last.crate == SIZE_NO_CRATE || request->package_count == 0)
        return;
    may_be_lasts = memory_new(map->functions.count, sizeof(*may_be_lasts));
    for (size_t i = 0; i < map->functions.count; i++)
        if (out[i].source == USED_UNKNOWN &&
            is_asked_for(request, std, &names.symbol, map->functions.items[i].names[0]->name))
            rlib_names_want(&names, map->functions.items[i].names[0]->name);
    are_all_read = read_libraries(request, crates, out, &names, &others);
    intern_add(&others.built, crates->items.items[last.crate].name);
    others.has_gone = request->is_other_build && is_any_gone(&names, &others);
    for (size_t i = 0; i < map->functions.count; i++) {
        struct slice name = map->functions.items[i].names[0]->name;
        uint32_t crate = SIZE_NO_CRATE;

        if (out[i].source != USED_UNKNOWN || !rlib_names_find(&names, name, &crate))
            continue;
        may_be_lasts[i] = crate != SIZE_NO_CRATE && crate != last.crate && may_be_copied(name);
        if (crate != SIZE_NO_CRATE)
            out[i] = (struct used){crate, USED_FROM_RLIB};
        else if (are_all_read)
            out[i] = of_last(&names, &others, last, name);
    }
    if (last.is_merged)
        settle_copies(&(struct copies){map, may_be_lasts, out, last.crate});
}
