#include "measure/sizes.h"

#include "sizes/std_in_code.h"

/* Notes what is known of one unit; its crates are those of the counted side. */
static void take_unit(const struct measured_unit *unit, struct symbol *symbol, struct crate_match *match,
                      struct counted_crates *counted)
{
    bool has_functions = false;

    for (size_t i = 0; i < unit->counts.nodes.count; i++) {
        const struct counted_node *node = &unit->counts.nodes.items[i];

        if (node->kind != COUNTED_FUNCTION)
            continue;
        has_functions = true;
        symbol_parse(symbol, unit->counts.symbols.items[node->symbol]);
        crate_match_see_symbol(match, CRATE_COUNTED, symbol);
        if (!symbol_is_rust(symbol))
            intern_add(&counted->plain, symbol->name);
    }
    if (unit->crate.disambiguator != 0)
        *vec_add(&counted->items) = unit->crate;
    else
        counted->are_all |= has_functions;
}

static void take_code(const struct code_sizes *code, struct symbol *symbol, struct crate_match *match)
{
    for (size_t i = 0; i < code->functions.count; i++) {
        const struct sized_function *function = &code->functions.items[i];

        symbol_parse(symbol, function->symbol);
        crate_match_see_symbol(match, CRATE_BUILT, symbol);
        if (function->holder.disambiguator != 0)
            (void)crate_match_see(match, CRATE_BUILT, function->holder);
    }
}

void measure_sizes_join(struct measurement *measurement, const struct code_sizes *code,
                        struct crate_match *match)
{
    SCOPED(counted_crates_done) struct counted_crates counted = {0};
    SCOPED(symbol_done) struct symbol symbol = {0};

    for (size_t i = 0; i < measurement->units.count; i++)
        take_unit(&measurement->units.items[i], &symbol, match, &counted);
    take_code(code, &symbol, match);
    std_in_code_find(code, match);
    crate_match_settle(match);
    group_sizes_join(&measurement->groups, &counted, match, code, &measurement->sizes);
    measurement->has_sizes = true;
    for (size_t i = 0; i < code->paths.count; i++)
        *vec_add(&measurement->sized) = arena_copy(&measurement->arena, slice_of(code->paths.items[i]));
}

int measure_sizes_of_file(struct measurement *measurement, const char *path, struct error *err)
{
    SCOPED(code_sizes_done) struct code_sizes code = {0};
    SCOPED(crate_match_done) struct crate_match match = {0};

    if (code_sizes_read(path, NULL, &code, err) < 0)
        return -1;
    measure_sizes_join(measurement, &code, &match);
    return 0;
}
