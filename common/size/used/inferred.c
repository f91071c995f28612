#include "size/used/inferred.h"

#include <elf.h>

#include "base/ascii.h"
#include "rust/demangle.h"
#include "rust/symbol_path.h"
#include "size/unmangled.h"

static bool is_name_byte(char byte)
{
    return ascii_is_name(byte) || byte == ':';
}

/*
 * Whether the name that was parsed last shows something of the crate that was compiled last. No other crate
 * knows that one, so none but it can have made the instance.
 */
static bool shows_last_crate(struct used_finder *finder)
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
static void settle_version(struct used_finder *finder, struct used *used)
{
    const struct size_crate *crates = finder->crates->items.items;
    uint32_t found = SIZE_NO_CRATE;

    if (!crates[used->crate].is_ambiguous)
        return;
    found = crate_paths_find(&finder->paths, &finder->symbol);
    if (found != SIZE_NO_CRATE && slice_equal(crates[found].name, crates[used->crate].name))
        *used = (struct used){found, USED_INFERRED};
}

static bool is_generic(const struct used_finder *finder, uint32_t crate)
{
    for (size_t i = 0; i < finder->generic.count; i++)
        if (finder->generic.items[i] == crate)
            return true;
    return false;
}

/* Of the crate that was compiled last, or where that is not known of the one before. */
static struct used of_last_or(const struct used_finder *finder, uint32_t before)
{
    uint32_t last = used_finder_last(finder);
    uint32_t crate = last != SIZE_NO_CRATE ? last : before;

    return (struct used){crate, crate != SIZE_NO_CRATE ? USED_INFERRED : USED_UNKNOWN};
}

/*
 * Whether the function whose name was parsed last is of the crate that its v0 name begins with. What other
 * crates make of that one's functions says so in its name if it is generic, and else is local to a unit.
 */
static bool is_of_its_crate(const struct symbol *symbol, const struct elf_symbol *named)
{
    return symbol->kind == SYMBOL_RUST_V0 && named->binding != STB_LOCAL;
}

/* What a name alone tells of who pays for a function. */
static struct used infer_one(struct used_finder *finder, const struct elf_symbol *named, uint32_t before)
{
    struct slice name = named->name;
    struct symbol_owner owner;
    struct used used;
    bool is_internal = false;
    bool is_its_own = false;
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
    is_internal = slice_is(owner.crate.name, "__rustc");
    is_its_own = !is_internal && is_of_its_crate(&finder->symbol, named);
    if (is_internal)
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
    /* What raises and catches panics is std's where there is std: another one of the name is not linked. */
    is_within_std =
        is_internal ? finder->std->has_std && std_copies_is_panic_internal(name)
                    : finder->symbol.kind == SYMBOL_RUST_V0 && std_copies_is_for_backtraces(owner.crate.name);
    used = used_finder_of_symbol(finder, owner.crate,
                                 is_its_own || is_within_std ? USED_FROM_SUFFIX : USED_INFERRED);
    settle_version(finder, &used);
    if (finder->symbol.kind == SYMBOL_RUST_LEGACY && before != SIZE_NO_CRATE &&
        is_generic(finder, used.crate))
        return (struct used){shows_last_crate(finder) ? finder->last : before, USED_INFERRED};
    if (!is_its_own && finder->crates->items.items[used.crate].kind != CRATE_KIND_STD)
        used.source = USED_INFERRED;
    else if (is_prebuilt)
        used.source = USED_FROM_SUFFIX;
    return used;
}

/*
 * What the names of a function of no library tell. Of C code in a shared library rustc has its linker hide
 * all but what rlibs define.
 */
static struct used infer_function(struct used_finder *finder, size_t function, uint32_t before)
{
    const struct code_function *named = &finder->request->map->functions.items[function];
    struct used used = infer_one(finder, named->names[0], before);

    if (used.source == USED_UNKNOWN && finder->exporting != SIZE_NO_CRATE && unmangled_is_exported(named))
        used = (struct used){finder->exporting, USED_INFERRED};
    return used;
}

/* The first crate in the order of addresses that has code of its own and is not std's. */
static uint32_t first_crate(struct used_finder *finder)
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

void used_inferred_find(struct used_finder *finder)
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
