#include "size/generics.h"

#include "rust/symbol_key.h"
#include "rust/symbol_numbers.h"
#include "rust/symbol_path.h"

/* The key that all instances of the function share, valid until the next call. */
static struct slice key_of(struct generics *generics, struct slice symbol, enum symbol_key key)
{
    text_clear(&generics->scratch);
    symbol_parse(&generics->symbol, symbol);
    symbol_add_key(&generics->scratch, &generics->symbol, key);
    return text_slice(&generics->scratch);
}

static void add_item(struct generics *generics, struct slice symbol)
{
    uint32_t name = intern_add(&generics->names, key_of(generics, symbol, SYMBOL_KEY_COMMON));
    struct generics_alike *alike = NULL;

    if (name == generics->alike.count)
        *vec_add(&generics->alike) = (struct generics_alike){.first = (uint32_t)generics->items.count};
    alike = &generics->alike.items[name];
    alike->count++;
    alike->has_legacy |= generics->symbol.kind == SYMBOL_RUST_LEGACY;
    alike->has_v0 |= generics->symbol.kind == SYMBOL_RUST_V0;
    *vec_add(&generics->items) =
        (struct generic){.name = intern_text(&generics->names, name), .name_id = name};
}

uint32_t generics_add(struct generics *generics, struct slice symbol, uint64_t size_bytes)
{
    uint32_t id = intern_add(&generics->keys, key_of(generics, symbol, SYMBOL_KEY_EXACT));
    struct generic *item = NULL;

    if (id == generics->items.count)
        add_item(generics, symbol);
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

void generics_join(struct generics *generics)
{
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

uint32_t generics_find(struct generics *generics, struct slice symbol)
{
    return intern_find(&generics->keys, key_of(generics, symbol, SYMBOL_KEY_EXACT));
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
    else
        text_format(text, "%.*s (%s)", SLICE_ARGUMENTS(item->name), text_string(&numbers));
}

void generics_done(struct generics *generics)
{
    intern_done(&generics->keys);
    vec_done(&generics->items);
    intern_done(&generics->names);
    vec_done(&generics->alike);
    symbol_done(&generics->symbol);
    text_done(&generics->scratch);
}

void generics_add_arguments(struct text *text, const struct symbol *symbol)
{
    for (size_t i = 0;; i++) {
        size_t before = text->length;

        if (i > 0)
            text_add_string(text, ", ");
        if (!symbol_add_argument(text, symbol, i)) {
            text->length = before;
            return;
        }
    }
}
