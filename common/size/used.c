#include "size/used.h"

#include <stdlib.h>

#include "base/memory.h"
#include "rust/demangle.h"
#include "rust/symbol_path.h"
#include "size/builtins.h"
#include "size/crate_paths.h"
#include "size/rlibs.h"
#include "size/unit_crates.h"
#include "size/unmangled.h"
#include "size/used_by_name.h"
#include "size/used_locals.h"

/* The work on one file. */
struct finder {
    const struct used_request *request;
    struct size_crates *crates;
    struct used *out;
    const struct unit_crates *unit_crates; /* borrowed */
    uint32_t *of_file_symbol; /* owned; crate of each STT_FILE symbol; SIZE_NO_CRATE: tells nothing */
    uint32_t last;            /* the crate that LTO made one unit of the program for; SIZE_NO_CRATE: none */
    uint32_t exporting;       /* the crate whose shared library the file is; SIZE_NO_CRATE: it is none */
    uint32_t program;         /* the crate whose program the file is; likewise */
    struct std_copies *std;   /* borrowed */
    struct crate_paths paths; /* of crates whose names do not tell them apart */
    VEC(uint32_t) generic;    /* crates whose libraries define nothing: others make what is of them */
    struct symbol symbol;     /* scratch */
    struct text text;         /* scratch */
};

const struct units *used_units(const struct used_request *request)
{
    return request->debug ? &request->debug->units : NULL;
}

static void add_packages(struct finder *finder)
{
    finder->exporting = SIZE_NO_CRATE;
    finder->program = SIZE_NO_CRATE;
    for (size_t i = 0; i < finder->request->package_count; i++) {
        const struct build_package *package = &finder->request->packages[i];
        struct crate_fact fact = build_package_crate(package);
        uint32_t crate = size_crates_add(finder->crates, &fact);

        if (package->is_exporting)
            finder->exporting = crate;
        if (package->is_program)
            finder->program = crate;
        if (build_package_has_namesakes(finder->request->packages, finder->request->package_count, i))
            crate_paths_read(&finder->paths, package->rlib, crate);
    }
}

/*
 * Units named by STT_FILE symbols. Where all of Rust's that could be merged are of one crate, LTO has made
 * one unit of the whole program, whose name says nothing of who wrote what is in it.
 */
static void read_file_symbols(struct finder *finder)
{
    const struct symbols *symbols = finder->request->symbols;
    uint32_t first = SIZE_NO_CRATE;
    bool are_several = false;

    finder->of_file_symbol = memory_new(symbols->unit_count, sizeof(uint32_t));
    for (size_t i = 0; i < symbols->unit_count; i++) {
        struct crate_fact fact;

        finder->of_file_symbol[i] = unit_crates_of_hashed(finder->unit_crates, symbols->units[i]);
        /* What is built incrementally is not merged. */
        are_several |= finder->of_file_symbol[i] != SIZE_NO_CRATE;
        if (!crate_fact_of_codegen_unit(symbols->units[i], &fact))
            continue;
        fact.kind = std_copies_kind_of_unit(finder->std, &fact);
        finder->of_file_symbol[i] = size_crates_add(finder->crates, &fact);
        if (crate_is_never_merged(fact.name))
            continue;
        are_several |= first != SIZE_NO_CRATE && first != finder->of_file_symbol[i];
        first = finder->of_file_symbol[i];
    }
    finder->last = SIZE_NO_CRATE;
    if (are_several || (finder->request->is_object && !finder->request->is_merged))
        return;
    finder->last = first;
    for (size_t i = 0; i < symbols->unit_count; i++)
        if (finder->of_file_symbol[i] == first)
            finder->of_file_symbol[i] = SIZE_NO_CRATE;
}

static uint32_t crate_of_address(const struct finder *finder, uint64_t svma)
{
    const struct units *units = used_units(finder->request);
    uint32_t unit = units ? units_find(units, svma) : UNIT_NONE;

    return unit == UNIT_NONE ? SIZE_NO_CRATE : finder->unit_crates->of_unit[unit];
}

/* The crate that the name which was parsed last shows; inferred where it may be std's or another. */
static struct used used_of_symbol(struct finder *finder, struct symbol_crate crate, enum used_source source)
{
    bool is_sure = false;
    struct crate_fact fact = {
        .name = crate.name,
        .id = crate.disambiguator,
        .kind = std_copies_kind(finder->std, crate, finder->symbol.kind == SYMBOL_RUST_V0, &is_sure),
    };

    return (struct used){size_crates_add(finder->crates, &fact), is_sure ? source : USED_INFERRED};
}

/* The STT_FILE symbol with a crate that the function stands under, or SYMBOL_NO_UNIT. */
static uint32_t file_symbol_of(const struct finder *finder, const struct code_function *function)
{
    for (size_t i = 0; i < function->name_count; i++) {
        uint32_t unit = function->names[i]->unit;

        if (unit != SYMBOL_NO_UNIT && finder->of_file_symbol[unit] != SIZE_NO_CRATE)
            return unit;
    }
    return SYMBOL_NO_UNIT;
}

/* Whether the function surely is of the unit that it stands under. */
static bool is_of_its_unit(struct finder *finder, size_t function, uint32_t unit)
{
    const struct code_function *named = &finder->request->map->functions.items[function];

    if (finder->out[function].source == USED_FROM_UNIT)
        return finder->out[function].crate == finder->of_file_symbol[unit];
    for (size_t i = 0; i < named->name_count; i++) {
        symbol_parse(&finder->symbol, named->names[i]->name);
        if (named->names[i]->unit == unit && symbol_is_rust(&finder->symbol))
            return true;
    }
    return false;
}

static void give_to_unit(struct finder *finder, size_t first, size_t end, uint32_t unit)
{
    for (size_t i = first; i < end; i++)
        if (finder->out[i].source == USED_UNKNOWN)
            finder->out[i] = (struct used){finder->of_file_symbol[unit], USED_FROM_FILE_SYMBOL};
}

/*
 * Objects without an STT_FILE symbol, as those of the C library, leave their local symbols under the one of
 * the object before them. So it tells of Rust's names, whose objects all have one; of others only between two
 * of Rust's of the same unit, as an object's code is in one piece.
 */
static void find_by_file_symbols(struct finder *finder)
{
    size_t count = finder->request->map->functions.count;
    uint32_t before = SYMBOL_NO_UNIT; /* of the function before the foreign ones */
    size_t foreign = 0;               /* the first of these */

    for (size_t i = 0; i < count; i++) {
        uint32_t unit = file_symbol_of(finder, &finder->request->map->functions.items[i]);
        bool is_sure = unit != SYMBOL_NO_UNIT && is_of_its_unit(finder, i, unit);

        if (unit != SYMBOL_NO_UNIT && unit == before && !is_sure)
            continue;
        if (is_sure)
            give_to_unit(finder, unit == before ? foreign : i, i + 1, unit);
        before = is_sure ? unit : SYMBOL_NO_UNIT;
        foreign = i + 1;
    }
}

/* All code of an object is of its one unit. */
static void find_in_object(struct finder *finder)
{
    const struct used_request *request = finder->request;

    for (size_t i = 0; request->is_object && i < request->symbols->unit_count; i++)
        if (finder->of_file_symbol[i] != SIZE_NO_CRATE) {
            give_to_unit(finder, 0, request->map->functions.count, (uint32_t)i);
            return;
        }
}

static struct used find_surely(struct finder *finder, const struct code_function *function, uint64_t svma)
{
    struct symbol_crate by = {0};
    uint32_t crate = crate_of_address(finder, svma);

    if (crate != SIZE_NO_CRATE)
        return (struct used){crate, USED_FROM_UNIT};
    if (slice_starts_with(function->names[0]->name, SLICE("_R"))) {
        symbol_parse(&finder->symbol, function->names[0]->name);
        symbol_instantiating_crate(&finder->symbol, &by);
    }
    if (by.name.length > 0)
        return used_of_symbol(finder, by, USED_FROM_SUFFIX);
    return (struct used){SIZE_NO_CRATE, USED_UNKNOWN};
}

/* Functions of which only the libraries of the build, or their names, can tell more. */
static void find_in_rlibs(struct finder *finder)
{
    const struct used_request *request = finder->request;
    SCOPED(rlib_owners_done) struct rlib_owners owners = {0};
    uint32_t library =
        request->library.name.length > 0 ? size_crates_add(finder->crates, &request->library) : SIZE_NO_CRATE;

    if (request->package_count == 0 && library == SIZE_NO_CRATE)
        return;
    for (size_t i = 0; i < request->map->functions.count; i++)
        if (finder->out[i].source == USED_UNKNOWN)
            rlib_owners_want(&owners, request->map->functions.items[i].names[0]->name);
    for (size_t i = 0; i < request->package_count; i++) {
        const struct build_package *package = &request->packages[i];
        struct crate_fact fact = build_package_crate(package);
        uint32_t crate = size_crates_add(finder->crates, &fact);

        /* A program of the workspace may have its library's name. */
        if (package->rlib && !rlib_owners_read(&owners, package->rlib, crate) && !package->is_own)
            *vec_add(&finder->generic) = crate;
    }
    for (size_t i = 0; i < request->map->functions.count; i++) {
        const struct code_function *function = &request->map->functions.items[i];
        uint32_t crate = SIZE_NO_CRATE;

        if (finder->out[i].source != USED_UNKNOWN)
            continue;
        crate = library;
        if (crate == SIZE_NO_CRATE)
            crate = rlib_owners_find(&owners, function->names[0]->name);
        if (crate == SIZE_NO_CRATE && function->names[0]->unit != SYMBOL_NO_UNIT)
            crate = rlib_owners_find_file(&owners, request->symbols->units[function->names[0]->unit]);
        if (crate != SIZE_NO_CRATE)
            finder->out[i] = (struct used){crate, USED_FROM_RLIB};
    }
}

/* The crate that was compiled last, and has made what no library has; SIZE_NO_CRATE where that is not known.
 */
static uint32_t last_of_build(const struct finder *finder)
{
    if (finder->last != SIZE_NO_CRATE)
        return finder->last;
    return finder->program != SIZE_NO_CRATE ? finder->program : finder->exporting;
}

static bool is_name_byte(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') ||
           byte == '_' || byte == ':';
}

/*
 * Whether the name that was parsed last shows something of the crate that was compiled last. No other crate
 * knows that one, so none but it can have made the instance.
 */
static bool shows_last_crate(struct finder *finder)
{
    struct slice crate;
    struct slice rest;

    if (finder->last == SIZE_NO_CRATE)
        return false;
    crate = finder->crates->items.items[finder->last].name;
    text_clear(&finder->text);
    demangle_add(&finder->text, &finder->symbol, DEMANGLE_SHORT);
    rest = text_slice(&finder->text);
    for (;;) {
        size_t at = slice_find(rest, crate);
        struct slice behind = slice_range(rest, at + crate.length, rest.length);

        if (at == rest.length)
            return false;
        if ((at == 0 || !is_name_byte(rest.data[at - 1])) && slice_starts_with(behind, SLICE("::")))
            return true;
        rest = behind;
    }
}

/* Where the crate of the name that was parsed last is one of several, the one that has the code around it. */
static void settle_version(struct finder *finder, struct used *used)
{
    const struct size_crate *crates = finder->crates->items.items;
    uint32_t found = SIZE_NO_CRATE;

    if (!crates[used->crate].is_ambiguous)
        return;
    found = crate_paths_find(&finder->paths, &finder->symbol);
    if (found != SIZE_NO_CRATE && slice_equal(crates[found].name, crates[used->crate].name))
        *used = (struct used){found, USED_INFERRED};
}

static bool is_generic(const struct finder *finder, uint32_t crate)
{
    for (size_t i = 0; i < finder->generic.count; i++)
        if (finder->generic.items[i] == crate)
            return true;
    return false;
}

/* Of the crate that was compiled last, or where that is not known of the one before. */
static struct used of_last_or(const struct finder *finder, uint32_t before)
{
    uint32_t last = last_of_build(finder);
    uint32_t crate = last != SIZE_NO_CRATE ? last : before;

    return (struct used){crate, crate != SIZE_NO_CRATE ? USED_INFERRED : USED_UNKNOWN};
}

/* What a name alone tells of who pays for a function. */
static struct used infer_one(struct finder *finder, struct slice name, uint32_t before)
{
    struct symbol_owner owner;
    struct used used;
    bool is_prebuilt = false;
    bool is_within_std = false;

    symbol_parse(&finder->symbol, name);
    owner = symbol_defining_crate(&finder->symbol);
    if (std_copies_is_plain_internal(name))
        owner.crate = (struct symbol_crate){.name = SLICE("__rustc")};
    if (owner.crate.name.length == 0)
        return (struct used){SIZE_NO_CRATE, USED_UNKNOWN};
    if (std_copies_is_panic_handler(name) && !finder->std->has_std)
        return of_last_or(finder, before);
    if (slice_is(owner.crate.name, "__rustc"))
        owner.crate = (struct symbol_crate){.name = std_copies_crate_of_internal(finder->std, name)};
    /*
     * std comes with v0 names: a legacy name of std's is another crate's instance. The compiler lays out the
     * code of one unit together, so that it likely is of the crate before it.
     */
    if (finder->symbol.kind == SYMBOL_RUST_LEGACY && before != SIZE_NO_CRATE &&
        std_copies_has_generic(finder->std, owner.crate.name))
        return (struct used){shows_last_crate(finder) ? finder->last : before, USED_INFERRED};
    /*
     * And beside legacy names of the program a v0 name is std's own, unless LTO put a function of the program
     * that reads the same in its place.
     */
    is_prebuilt = finder->symbol.kind == SYMBOL_RUST_V0 && std_copies_program_is_legacy(finder->std) &&
                  finder->last == SIZE_NO_CRATE;
    /* The language has one personality, std's where there is std: another one of the name is not linked. */
    is_within_std = finder->symbol.kind == SYMBOL_RUST_V0
                        ? std_copies_is_for_backtraces(owner.crate.name)
                        : finder->std->has_std && slice_is(name, "rust_eh_personality");
    used = used_of_symbol(finder, owner.crate, is_within_std ? USED_FROM_SUFFIX : USED_INFERRED);
    settle_version(finder, &used);
    if (finder->symbol.kind == SYMBOL_RUST_LEGACY && before != SIZE_NO_CRATE &&
        is_generic(finder, used.crate))
        return (struct used){shows_last_crate(finder) ? finder->last : before, USED_INFERRED};
    if (finder->crates->items.items[used.crate].kind != CRATE_KIND_STD)
        used.source = USED_INFERRED;
    else if (is_prebuilt)
        used.source = USED_FROM_SUFFIX;
    return used;
}

/*
 * What the names of a function of no library tell. Of C code in a shared library rustc has its linker hide
 * all but what rlibs define.
 */
static struct used infer_function(struct finder *finder, size_t function, uint32_t before)
{
    const struct code_function *named = &finder->request->map->functions.items[function];
    struct used used = infer_one(finder, named->names[0]->name, before);

    if (used.source == USED_UNKNOWN && finder->exporting != SIZE_NO_CRATE && unmangled_is_exported(named))
        used = (struct used){finder->exporting, USED_INFERRED};
    return used;
}

/* The first crate in the order of addresses that has code of its own and is not std's. */
static uint32_t first_crate(struct finder *finder)
{
    const struct code_map *map = finder->request->map;

    for (size_t i = 0; i < map->ranges.count; i++) {
        uint32_t function = map->ranges.items[i].function;
        struct used used;

        if (function >= map->functions.count)
            continue;
        used = finder->out[function];
        if (used.source == USED_UNKNOWN)
            used = infer_function(finder, function, SIZE_NO_CRATE);
        if (used.crate != SIZE_NO_CRATE && finder->crates->items.items[used.crate].kind != CRATE_KIND_STD)
            return used.crate;
    }
    return SIZE_NO_CRATE;
}

/* In the order of addresses. What comes before the first crate is of that one's unit. */
static void infer(struct finder *finder)
{
    const struct code_map *map = finder->request->map;
    uint32_t before = first_crate(finder);

    for (size_t i = 0; i < map->ranges.count; i++) {
        uint32_t function = map->ranges.items[i].function;
        struct used *used = NULL;

        if (function >= map->functions.count)
            continue;
        used = &finder->out[function];
        if (used->source == USED_UNKNOWN)
            *used = infer_function(finder, function, before);
        if (used->crate != SIZE_NO_CRATE && finder->crates->items.items[used->crate].kind != CRATE_KIND_STD)
            before = used->crate;
    }
}

/*
 * C's main, which rustc writes into the unit of the crate that has Rust's, beside that crate's instance of
 * std::rt::lang_start. LTO may leave of that no more than what it calls.
 */
static void find_entry(struct finder *finder)
{
    const struct code_map *map = finder->request->map;
    struct used *entry = NULL;
    uint32_t crate = SIZE_NO_CRATE;

    for (size_t i = 0; i < map->functions.count; i++) {
        struct slice name = map->functions.items[i].names[0]->name;
        bool is_start = slice_has(name, SLICE("2rt10lang_start"));

        if (slice_is(name, "main"))
            entry = &finder->out[i];
        if (finder->last != SIZE_NO_CRATE && (is_start || slice_has(name, SLICE("2rt19lang_start_internal"))))
            crate = finder->last;
        else if (is_start && crate == SIZE_NO_CRATE && finder->out[i].crate != SIZE_NO_CRATE &&
                 finder->crates->items.items[finder->out[i].crate].kind != CRATE_KIND_STD)
            crate = finder->out[i].crate;
    }
    if (entry && entry->source == USED_UNKNOWN && crate != SIZE_NO_CRATE)
        *entry = (struct used){crate, USED_INFERRED};
}

/* C's objects are no part of what LTO merges: what has names as C's is a crate's, mostly the last one's. */
static void find_exported(struct finder *finder)
{
    const struct code_map *map = finder->request->map;

    for (size_t i = 0; i < map->functions.count; i++)
        if (finder->out[i].source == USED_UNKNOWN && unmangled_is_exported(&map->functions.items[i]))
            finder->out[i] = (struct used){finder->last, USED_INFERRED};
}

static void find_unmangled(struct finder *finder)
{
    const struct unmangled_program program = {finder->request->map, finder->crates, finder->program,
                                              finder->last != SIZE_NO_CRATE};

    if (finder->program != SIZE_NO_CRATE)
        unmangled_find(&program, finder->out);
    else if (finder->request->is_object && finder->last != SIZE_NO_CRATE)
        find_exported(finder);
}

void used_find(const struct used_request *request, struct size_crates *crates, struct used *out)
{
    struct finder finder = {.request = request,
                            .crates = crates,
                            .out = out,
                            .unit_crates = request->unit_crates,
                            .std = request->std};
    SCOPED(unit_crates_done) struct unit_crates found = {0};
    SCOPED(std_copies_done) struct std_copies seen = {0};
    SCOPED(memory_free_at) uint64_t *starts = code_map_starts(request->map);

    if (!finder.std) {
        std_copies_see_map(&seen, request->map);
        std_copies_see_units(&seen, used_units(request));
        finder.std = &seen;
    }
    if (!finder.unit_crates) {
        unit_crates_find(request, crates, &found);
        finder.unit_crates = &found;
    }
    add_packages(&finder);
    read_file_symbols(&finder);
    for (size_t i = 0; i < request->map->functions.count; i++)
        out[i] = find_surely(&finder, &request->map->functions.items[i], starts[i]);
    find_by_file_symbols(&finder);
    find_in_object(&finder);
    find_in_rlibs(&finder);
    used_locals_find(request, crates, out);
    used_by_name_find(request, finder.std, crates,
                      (struct used_last){last_of_build(&finder), finder.last != SIZE_NO_CRATE}, out);
    infer(&finder);
    builtins_find(request, crates, out);
    find_entry(&finder);
    find_unmangled(&finder);
    free(finder.of_file_symbol);
    crate_paths_done(&finder.paths);
    vec_done(&finder.generic);
    text_done(&finder.text);
    symbol_done(&finder.symbol);
}
