#include "counts/unit_crate.h"

/* Legacy names tell no instances: what of std's is compiled in a crate may come before all that is its own.
 */
static bool is_better_guess(const struct symbol_crate *found, const struct symbol_crate *crate)
{
    return found->name.length == 0 || (symbol_crate_is_std(found->name) && !symbol_crate_is_std(crate->name));
}

bool unit_crate_has_source_of(struct symbol *symbol)
{
    struct slice crate = symbol_defining_crate(symbol).crate.name;

    return crate.length == 0 || slice_is(crate, "__rustc");
}

void unit_crate_see(struct unit_crate *unit, struct symbol *symbol, struct arena *arena)
{
    struct symbol_crate crate = {0};
    bool is_instance = false;

    if (unit->is_sure)
        return;
    unit->has_legacy_names |= symbol->kind == SYMBOL_RUST_LEGACY;
    is_instance = symbol_instantiating_crate(symbol, &crate);
    if (!is_instance)
        crate = symbol_defining_crate(symbol).crate;
    if (crate.name.length == 0 || (!is_instance && !is_better_guess(&unit->found, &crate)) ||
        (unit->told.name.length > 0 && !slice_equal(unit->told.name, crate.name)))
        return;
    unit->found.disambiguator = crate.disambiguator;
    unit->found.name = arena_slice(arena, crate.name);
    unit->is_sure = is_instance;
}

struct symbol_crate unit_crate_result(const struct unit_crate *unit)
{
    struct symbol_crate result = unit->found;

    if (result.name.length == 0)
        result.name = unit->told.name;
    if (!unit->is_sure && !unit->has_legacy_names && unit->told.disambiguator != 0)
        result.disambiguator = unit->told.disambiguator;
    return result;
}

struct symbol_crate unit_crate_of_counts(struct arena *arena, const struct unit_counts *counts)
{
    SCOPED(symbol_done) struct symbol symbol = {0};
    struct unit_crate unit = {.told = {counts->crate_name, counts->crate_disambiguator}};
    struct symbol_crate result;

    for (size_t i = 0; i < counts->nodes.count && !unit.is_sure; i++) {
        if (counts->nodes.items[i].kind != COUNTED_FUNCTION)
            continue;
        symbol_parse(&symbol, counts->symbols.items[counts->nodes.items[i].symbol]);
        unit_crate_see(&unit, &symbol, arena);
    }
    result = unit_crate_result(&unit);
    result.name = arena_slice(arena, result.name);
    return result;
}
