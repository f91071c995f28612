#include "rust/symbol_key.h"

#include "rust/demangle.h"
#include "rust/key_printers.h"

void symbol_add_key(struct text *text, struct symbol *symbol, enum symbol_key key)
{
    if (symbol->kind == SYMBOL_RUST_V0)
        v0_add_key(text, symbol, key);
    else if (symbol->kind == SYMBOL_RUST_LEGACY)
        legacy_add_key(text, symbol, key);
    else
        demangle_add(text, symbol, DEMANGLE_SHORT);
}
