#include "size/generics.h"

#include "rust/crate_name.h"
#include "rust/symbol_key.h"
#include "rust/symbol_numbers.h"
#include "rust/symbol_path.h"

/* The key that all instances of the parsed function share, valid until the next call. */
static struct slice key_of(struct generics *generics, enum symbol_key key, struct generic_definer definer)
{
    SCOPED(text_done) struct text told = {0};

    text_clear(&generics->scratch);
    symbol_add_key(&generics->scratch, &generics->symbol, key);
    if (definer.label.length > 0) {
        crate_name_add_labelled(&told, text_slice(&generics->scratch), definer.crate, definer.label);
        text_clear(&generics->scratch);
        text_add(&generics->scratch, text_slice(&told));
    }
    return text_slice(&generics->scratch);
}

/* v0 names have a hash that tells the crate. */
static struct slice exact_key_of(struct generics *generics, struct slice symbol,
                                 struct generic_definer definer)
{
    symbol_parse(&generics->symbol, symbol);
    if (generics->symbol.kind == SYMBOL_RUST_V0)
        definer = (struct generic_definer){0};
    return key_of(generics, SYMBOL_KEY_EXACT, definer);
}

/* Names that begin with another crate are not told apart by this one's version. */
static struct slice version_of(struct generics *generics, struct slice plain_name,
                               struct generic_definer definer)
{
    struct slice path = slice_range(plain_name, slice_starts_with(plain_name, SLICE("<")), plain_name.length);
    struct slice rest = slice_range(path, definer.crate.length, path.length);

    if (definer.version.length == 0 || !slice_starts_with(path, definer.crate) ||
        !slice_starts_with(rest, SLICE("::")))
        return (struct slice){0};
    return arena_slice(&generics->arena, definer.version);
}

static void set_name(struct generics *generics, struct generic *item, struct slice name, struct slice plain)
{
    item->name_id = intern_add(&generics->names, name);
    item->name = intern_text(&generics->names, item->name_id);
    item->plain_name = intern_text(&generics->plain_names, intern_add(&generics->plain_names, plain));
}

static void add_item(struct generics *generics, struct generic_definer definer)
{
    const struct generic_definer nobody = {0};
    SCOPED(text_done) struct text name = {0};
    struct generic *item = vec_add(&generics->items);

    text_add(&name, key_of(generics, SYMBOL_KEY_COMMON, definer.is_hash ? nobody : definer));
    *item = (struct generic){.mangling = generics->symbol.kind};
    set_name(generics, item, text_slice(&name), key_of(generics, SYMBOL_KEY_COMMON, nobody));
    item->version = version_of(generics, item->plain_name, definer);
}

/* The impl of the parsed symbol, and names that all copies have in common. */
static void note_impl(struct generics *generics, uint32_t id, bool is_first)
{
    struct generic *item = &generics->items.items[id];
    struct slice dropped = impl_common_note(&generics->types, &item->impl, &generics->symbol,
                                            intern_text(&generics->keys, id), is_first);
    SCOPED(text_done) struct text name = {0};
    SCOPED(text_done) struct text plain = {0};

    if (dropped.data && impl_type_drop(&name, item->name, dropped) &&
        impl_type_drop(&plain, item->plain_name, dropped))
        set_name(generics, item, text_slice(&name), text_slice(&plain));
}

uint32_t generics_add(struct generics *generics, struct slice symbol, struct generic_definer definer,
                      uint64_t size_bytes)
{
    uint32_t id = intern_add(&generics->keys, exact_key_of(generics, symbol, definer));
    bool is_first = id == generics->items.count;
    struct generic *item = NULL;

    if (is_first)
        add_item(generics, definer);
    note_impl(generics, id, is_first);
    item = &generics->items.items[id];
    item->copies++;
    item->size_bytes += size_bytes;
    if (size_bytes > item->largest_bytes)
        item->largest_bytes = size_bytes;
    return id;
}

static bool are_one(const struct generics_alike *alike)
{
    return alike->has_legacy && alike->has_v0;
}

uint32_t generics_joined(const struct generics *generics, uint32_t id)
{
    const struct generics_alike *alike = &generics->alike.items[generics->items.items[id].name_id];

    return are_one(alike) ? alike->first : id;
}

void generics_compare_names(struct generics *generics)
{
    generics->alike.count = 0;
    for (uint32_t id = 0; id < generics->items.count; id++) {
        const struct generic *item = &generics->items.items[id];
        struct generics_alike *alike = NULL;

        while (generics->alike.count <= item->name_id)
            *vec_add(&generics->alike) = (struct generics_alike){0};
        alike = &generics->alike.items[item->name_id];
        if (alike->count++ == 0)
            alike->first = id;
        alike->has_legacy |= item->mangling == SYMBOL_RUST_LEGACY;
        alike->has_v0 |= item->mangling == SYMBOL_RUST_V0;
    }
}

void generics_join(struct generics *generics)
{
    generics_compare_names(generics);
    for (uint32_t id = 0; id < generics->items.count; id++) {
        struct generic *item = &generics->items.items[id];
        struct generic *to = &generics->items.items[generics_joined(generics, id)];

        if (to == item)
            continue;
        to->copies += item->copies;
        to->size_bytes += item->size_bytes;
        if (item->largest_bytes > to->largest_bytes)
            to->largest_bytes = item->largest_bytes;
        item->copies = item->size_bytes = item->largest_bytes = 0;
    }
}

uint32_t generics_find(struct generics *generics, struct slice symbol, struct generic_definer definer)
{
    return intern_find(&generics->keys, exact_key_of(generics, symbol, definer));
}

/* Whether another that reads the same has the same numbers: one of another crate of that name. */
static bool has_namesake(const struct generics *generics, uint32_t id, struct slice numbers)
{
    uint32_t name = generics->items.items[id].name_id;
    const struct generics_alike *alike = &generics->alike.items[name];
    uint32_t left = alike->count;

    for (uint32_t at = alike->first; left > 0 && at < generics->items.count; at++) {
        SCOPED(text_done) struct text others = {0};

        if (generics->items.items[at].name_id != name)
            continue;
        left--;
        symbol_key_add_numbers(&others, intern_text(&generics->keys, at));
        if (at != id && slice_equal(text_slice(&others), numbers))
            return true;
    }
    return false;
}

void generics_add_label(struct text *text, const struct generics *generics, uint32_t id)
{
    SCOPED(text_done) struct text numbers = {0};
    const struct generic *item = &generics->items.items[id];
    const struct generics_alike *alike = &generics->alike.items[item->name_id];
    struct slice key = intern_text(&generics->keys, id);
    bool is_alone = alike->count == 1 || are_one(alike);

    if (is_alone) {
        text_add(text, item->name);
        return;
    }
    symbol_key_add_numbers(&numbers, key);
    if (numbers.length == 0 || has_namesake(generics, id, text_slice(&numbers)))
        text_add(text, key);
    else {
        text_format(text, "%.*s (%s", SLICE_ARGUMENTS(item->name), text_string(&numbers));
        impl_common_add(text, &generics->types, item->impl, item->plain_name);
        text_add_byte(text, ')');
    }
}

void generics_done(struct generics *generics)
{
    intern_done(&generics->keys);
    vec_done(&generics->items);
    intern_done(&generics->names);
    intern_done(&generics->plain_names);
    vec_done(&generics->alike);
    impl_types_done(&generics->types);
    arena_done(&generics->arena);
    symbol_done(&generics->symbol);
    text_done(&generics->scratch);
}
