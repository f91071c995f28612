#include "content/names.h"

#include "base/memory.h"
#include "base/text.h"
#include "rust/demangle.h"
#include "rust/symbol_path.h"

/* One function's crate, kept until all functions were seen. */
struct function_crate {
    struct symbol_owner owner;
    bool is_v0;
};

/* What is said of a crate that std has too becomes complete once all functions were seen. */
static void settle(struct std_copies *std, const struct function_crate *function, struct measured *measured)
{
    bool is_sure = false;

    measured->crate_kind = std_copies_kind(std, function->owner.crate, function->is_v0, &is_sure);
    measured->crate_hash = function->owner.crate.disambiguator;
    measured->is_std = measured->crate_kind == CRATE_KIND_STD;
    measured->may_be_stds = !is_sure && !function->is_v0 && !measured->is_std;
    if (!is_sure && measured->crate_source == CRATE_FROM_SYMBOL)
        measured->crate_source = CRATE_INFERRED;
}

static struct slice demangled(struct measurement *out, struct text *scratch, const struct symbol *symbol)
{
    text_clear(scratch);
    demangle_add(scratch, symbol, DEMANGLE_SHORT);
    return arena_slice(&out->arena, text_slice(scratch));
}

static enum crate_source source_of(enum symbol_certainty certainty)
{
    switch (certainty) {
    case SYMBOL_EXACT:
        return CRATE_FROM_SYMBOL;
    case SYMBOL_INFERRED:
        return CRATE_INFERRED;
    case SYMBOL_UNKNOWN:
        break;
    }
    return CRATE_UNKNOWN;
}

/* Code that the linker folded has several names: all but the first, with blanks between. */
static struct slice aliases_of(struct measurement *out, struct text *scratch,
                               const struct code_function *function)
{
    if (function->name_count < 2)
        return (struct slice){0};
    text_clear(scratch);
    for (size_t i = 1; i < function->name_count; i++) {
        if (i > 1)
            text_add_byte(scratch, ' ');
        text_add(scratch, function->names[i]->name);
    }
    return arena_slice(&out->arena, text_slice(scratch));
}

/* Adds one function; its crate's bytes are copied, so that `owner` outlives the symbol. */
static void add_function(struct measurement *out, struct text *scratch, struct symbol *symbol,
                         const struct code_function *function, struct symbol_owner *owner)
{
    struct measured added = {
        .name = demangled(out, scratch, symbol),
        .symbol = arena_slice(&out->arena, symbol->name),
        .aliases = aliases_of(out, scratch, function),
        .size_bytes = function->size_bytes,
        .definer_index = SIZE_NO_CRATE,
    };

    *owner = symbol_defining_crate(symbol);
    owner->crate.name = arena_slice(&out->arena, owner->crate.name);
    added.crate = owner->crate.name;
    added.crate_source = source_of(owner->certainty);
    *vec_add(&out->items) = added;
}

void names_add(const struct code_map *map, struct std_copies *std, struct measurement *out)
{
    SCOPED(symbol_done) struct symbol symbol = {0};
    SCOPED(text_done) struct text scratch = {0};
    SCOPED(memory_free_at)
    struct function_crate *crates = memory_new(map->functions.count, sizeof(struct function_crate));
    size_t first = out->items.count;

    for (size_t i = 0; i < map->functions.count; i++) {
        const struct code_function *function = &map->functions.items[i];
        struct function_crate *crate = &crates[out->items.count - first];

        if (function->size_bytes == 0)
            continue;
        symbol_parse(&symbol, function->names[0]->name);
        add_function(out, &scratch, &symbol, function, &crate->owner);
        crate->is_v0 = symbol.kind == SYMBOL_RUST_V0;
        std_copies_see(std, &symbol);
    }
    for (size_t i = first; i < out->items.count; i++)
        settle(std, &crates[i - first], &out->items.items[i]);
}
