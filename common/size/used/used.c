#include "size/used/used.h"

#include <stdlib.h>

#include "base/memory.h"
#include "rust/symbol_path.h"
#include "size/builtins.h"
#include "size/linked_for.h"
#include "size/rlibs.h"
#include "size/unit_crates.h"
#include "size/unmangled.h"
#include "size/used/by_name.h"
#include "size/used/finder.h"
#include "size/used/inferred.h"
#include "size/used/locals.h"
#include "size/used/prefixed.h"

const struct units *used_units(const struct used_request *request)
{
    return request->debug ? &request->debug->units : NULL;
}

static void add_packages(struct used_finder *finder)
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
static void read_file_symbols(struct used_finder *finder)
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

static uint32_t crate_of_address(const struct used_finder *finder, uint64_t svma)
{
    const struct units *units = used_units(finder->request);
    uint32_t unit = units ? units_find(units, svma) : UNIT_NONE;

    return unit == UNIT_NONE ? SIZE_NO_CRATE : finder->unit_crates->of_unit[unit];
}

/* The STT_FILE symbol with a crate that the function stands under, or SYMBOL_NO_UNIT. */
static uint32_t file_symbol_of(const struct used_finder *finder, const struct code_function *function)
{
    for (size_t i = 0; i < function->name_count; i++) {
        uint32_t unit = function->names[i]->unit;

        if (unit != SYMBOL_NO_UNIT && finder->of_file_symbol[unit] != SIZE_NO_CRATE)
            return unit;
    }
    return SYMBOL_NO_UNIT;
}

/* What LLVM has taken out of functions that have it in common, on AArch64 at opt-level "z"
 * (MachineOutliner.cpp). */
static bool is_outlined(struct slice name)
{
    return slice_starts_with(name, SLICE("OUTLINED_FUNCTION_"));
}

/* Whether the function surely is of the unit that it stands under. */
static bool is_of_its_unit(struct used_finder *finder, size_t function, uint32_t unit)
{
    const struct code_function *named = &finder->request->map->functions.items[function];

    if (finder->out[function].source == USED_FROM_UNIT)
        return finder->out[function].crate == finder->of_file_symbol[unit];
    for (size_t i = 0; i < named->name_count; i++) {
        symbol_parse(&finder->symbol, named->names[i]->name);
        if (named->names[i]->unit == unit &&
            (symbol_is_rust(&finder->symbol) || is_outlined(named->names[i]->name)))
            return true;
    }
    return false;
}

static void give_to_unit(struct used_finder *finder, size_t first, size_t end, uint32_t unit)
{
    for (size_t i = first; i < end; i++)
        if (finder->out[i].source == USED_UNKNOWN)
            finder->out[i] = (struct used){finder->of_file_symbol[unit], USED_FROM_FILE_SYMBOL};
}

/*
 * Objects without an STT_FILE symbol, as those of the C library, leave their local symbols under the one of
 * the object before them. So it tells of names of Rust's and of LLVM's own, whose objects all have one; of
 * others only between two of those of the same unit, as an object's code is in one piece.
 */
static void find_by_file_symbols(struct used_finder *finder)
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
static void find_in_object(struct used_finder *finder)
{
    const struct used_request *request = finder->request;

    for (size_t i = 0; request->is_object && i < request->symbols->unit_count; i++)
        if (finder->of_file_symbol[i] != SIZE_NO_CRATE) {
            give_to_unit(finder, 0, request->map->functions.count, (uint32_t)i);
            return;
        }
}

static struct used find_surely(struct used_finder *finder, const struct code_function *function,
                               uint64_t svma)
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
        return used_finder_of_symbol(finder, by, USED_FROM_SUFFIX);
    return (struct used){SIZE_NO_CRATE, USED_UNKNOWN};
}

/*
 * Compilers put such a pointer to what catches panics into each object that needs it, and the linker keeps
 * one: under fat LTO a build dependency's library may be the only one that has it in machine code.
 */
static bool is_in_many_objects(struct slice name)
{
    return slice_starts_with(name, SLICE("DW.ref."));
}

/* Functions of which only the libraries of the build, or their names, can tell more. */
static void find_in_rlibs(struct used_finder *finder)
{
    const struct used_request *request = finder->request;
    SCOPED(rlib_owners_done) struct rlib_owners owners = {0};
    uint32_t library =
        request->library.name.length > 0 ? size_crates_add(finder->crates, &request->library) : SIZE_NO_CRATE;

    if (request->package_count == 0 && library == SIZE_NO_CRATE)
        return;
    for (size_t i = 0; i < request->map->functions.count; i++)
        if (finder->out[i].source == USED_UNKNOWN &&
            !is_in_many_objects(request->map->functions.items[i].names[0]->name))
            rlib_owners_want(&owners, request->map->functions.items[i].names[0]->name);
    for (size_t i = 0; i < request->package_count; i++) {
        const struct build_package *package = &request->packages[i];
        struct crate_fact fact = build_package_crate(package);
        uint32_t crate = size_crates_add(finder->crates, &fact);

        /* A program of the workspace may have its library's name. */
        if (package->rlib && package->is_of_std)
            rlib_owners_read_behind(&owners, package->rlib, crate);
        else if (package->rlib && !rlib_owners_read(&owners, package->rlib, crate) && !package->is_own)
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

/*
 * C's main, which rustc writes into the unit of the crate that has Rust's, beside that crate's instance of
 * std::rt::lang_start. LTO may leave of that no more than what it calls.
 */
static void find_entry(struct used_finder *finder)
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

/* Of what was linked the crate that it was linked for is told by the build, or by the file alone. */
static void find_unmangled(struct used_finder *finder)
{
    const struct used_request *request = finder->request;
    struct unmangled_program program = {.map = request->map,
                                        .crates = finder->crates,
                                        .crate = finder->program,
                                        .is_merged = finder->last != SIZE_NO_CRATE,
                                        .is_alone = request->package_count == 0};

    if (program.is_alone && !request->is_object)
        program.crate = linked_for_find(request->symbols, finder->of_file_symbol, finder->last,
                                        finder->crates, &program.is_beside_c);
    if (program.crate != SIZE_NO_CRATE)
        unmangled_find(&program, finder->out);
    else if (request->is_object && program.is_merged)
        unmangled_give(request->map, finder->last, finder->out);
}

void used_find(const struct used_request *request, struct size_crates *crates, struct used *out)
{
    struct used_finder finder = {.request = request,
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
        std_copies_see_linked(&seen, request->symbols);
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
    used_prefixed_find(request, crates, out);
    used_by_name_find(request, finder.std, crates,
                      (struct used_last){used_finder_last(&finder), finder.last != SIZE_NO_CRATE}, out);
    used_inferred_find(&finder);
    builtins_find(request, crates, out);
    find_entry(&finder);
    find_unmangled(&finder);
    free(finder.of_file_symbol);
    crate_paths_done(&finder.paths);
    vec_done(&finder.generic);
    text_done(&finder.text);
    symbol_done(&finder.symbol);
}
