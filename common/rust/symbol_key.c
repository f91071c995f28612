#include "rust/symbol_key.h"

#include "rust/demangle.h"
#include "rust/drop_glue.h"
#include "rust/key_printers.h"

/* The one name for what compilers call two: the crate's hash stays. */
static void name_drop_glue(struct text *text, size_t start)
{
    const struct slice newer = SLICE("drop_glue");
    struct slice key = slice_range(text_slice(text), start, text->length);

    if (!slice_ends_with(key, newer) || drop_glue_path_length(key) != key.length)
        return;
    text->length -= newer.length;
    text_add_string(text, "drop_in_place");
}

void symbol_add_key(struct text *text, struct symbol *symbol, enum symbol_key key)
{
    size_t start = text->length;

    if (symbol->kind == SYMBOL_RUST_V0)
        v0_add_key(text, symbol, key);
    else if (symbol->kind == SYMBOL_RUST_LEGACY)
        legacy_add_key(text, symbol, key);
    else
        demangle_add(text, symbol, DEMANGLE_SHORT);
    name_drop_glue(text, start);
}
