#include "names.h"

#include "base/intern.h"
#include "base/memory.h"
#include "base/text.h"
#include "rust/demangle.h"
#include "rust/std_crates.h"
#include "rust/symbol_path.h"

/* What one pass over the functions learns about the crates of std. Zero-initialised is nothing. */
struct crates_seen {
    const struct intern *program_crates; /* borrowed; NULL: not known */
    struct intern instantiated_by_std;   /* crates whose generics std instantiated, name and hash */
    bool has_legacy_names;
};

/* One function's crate, kept until all functions were seen. */
struct function_crate {
    struct symbol_owner owner;
    bool is_v0;
};

static void crates_seen_done(struct crates_seen *seen)
{
    intern_done(&seen->instantiated_by_std);
}

/* A crate's name and hash as one string that two crates never share. */
static struct slice crate_identity(struct text *scratch, struct symbol_crate crate)
{
    text_clear(scratch);
    text_format(scratch, "%llx:", (unsigned long long)crate.disambiguator);
    text_add(scratch, crate.name);
    return text_slice(scratch);
}

static void see(struct crates_seen *seen, struct text *scratch, const struct symbol *symbol,
                struct symbol_crate crate)
{
    struct symbol_crate by = {0};

    seen->has_legacy_names |= symbol->kind == SYMBOL_RUST_LEGACY;
    if (symbol_instantiating_crate(symbol, &by) && symbol_crate_is_std(by.name))
        intern_add(&seen->instantiated_by_std, crate_identity(scratch, crate));
}

/*
 * std's own crates go by their names alone. One that std was built with, hashbrown say, may be in the program
 * a second time: it is std's when std instantiated code of it, and where all names of the program itself are
 * legacy ones, because std comes with v0 names since Rust 1.95.
 */
static bool is_of_std(const struct crates_seen *seen, struct text *scratch,
                      const struct function_crate *function)
{
    struct symbol_crate crate = function->owner.crate;

    if (symbol_crate_is_std(crate.name))
        return true;
    if (!std_crates_depend_on(crate.name))
        return false;
    if (seen->program_crates && intern_find(seen->program_crates, crate.name) == INTERN_NONE)
        return true;
    if (!function->is_v0)
        return false;
    return seen->has_legacy_names ||
           intern_find(&seen->instantiated_by_std, crate_identity(scratch, crate)) != INTERN_NONE;
}

static struct slice copied(struct measurement *out, struct slice text)
{
    return (struct slice){arena_copy(&out->arena, text), text.length};
}

static struct slice demangled(struct measurement *out, struct text *scratch, const struct symbol *symbol)
{
    text_clear(scratch);
    demangle_add(scratch, symbol, DEMANGLE_SHORT);
    return copied(out, text_slice(scratch));
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
    return copied(out, text_slice(scratch));
}

/* Adds one function; its crate's bytes are copied, so that `owner` outlives the symbol. */
static void add_function(struct measurement *out, struct text *scratch, struct symbol *symbol,
                         const struct code_function *function, struct symbol_owner *owner)
{
    struct measured added = {
        .name = demangled(out, scratch, symbol),
        .symbol = copied(out, symbol->name),
        .aliases = aliases_of(out, scratch, function),
        .size_bytes = function->size_bytes,
    };

    *owner = symbol_defining_crate(symbol);
    owner->crate.name = copied(out, owner->crate.name);
    added.crate = owner->crate.name;
    added.crate_source = source_of(owner->certainty);
    *vec_add(&out->items) = added;
}

void names_add(const struct code_map *map, const struct intern *program_crates, struct measurement *out)
{
    SCOPED(symbol_done) struct symbol symbol = {0};
    SCOPED(text_done) struct text scratch = {0};
    SCOPED(crates_seen_done) struct crates_seen seen = {.program_crates = program_crates};
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
        see(&seen, &scratch, &symbol, crate->owner.crate);
    }
    for (size_t i = first; i < out->items.count; i++)
        out->items.items[i].is_std = is_of_std(&seen, &scratch, &crates[i - first]);
}
