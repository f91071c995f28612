#include "size/generics.h"

#include "rust/symbol_key.h"
#include "rust/symbol_path.h"

/* The key that all instances of the function share, valid until the next call. */
static struct slice key_of(struct generics *generics, struct slice symbol, enum symbol_key key)
{
    text_clear(&generics->scratch);
    symbol_parse(&generics->symbol, symbol);
    symbol_add_key(&generics->scratch, &generics->symbol, key);
    return text_slice(&generics->scratch);
}

static struct generic *new_item(struct generics *generics, struct slice symbol)
{
    struct slice name = key_of(generics, symbol, SYMBOL_KEY_COMMON);
    struct generic *item = vec_add(&generics->items);

    *item = (struct generic){.name = {arena_copy(&generics->arena, name), name.length}};
    return item;
}

uint32_t generics_add(struct generics *generics, struct slice symbol, uint64_t size_bytes)
{
    uint32_t id = intern_add(&generics->keys, key_of(generics, symbol, SYMBOL_KEY_EXACT));
    struct generic *item =
        id < generics->items.count ? &generics->items.items[id] : new_item(generics, symbol);

    item->copies++;
    item->size_bytes += size_bytes;
    if (size_bytes > item->largest_bytes)
        item->largest_bytes = size_bytes;
    return id;
}

uint32_t generics_find(struct generics *generics, struct slice symbol)
{
    return intern_find(&generics->keys, key_of(generics, symbol, SYMBOL_KEY_EXACT));
}

void generics_done(struct generics *generics)
{
    intern_done(&generics->keys);
    vec_done(&generics->items);
    arena_done(&generics->arena);
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
