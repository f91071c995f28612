/*
 * A name is taken apart and printed in every way. What comes out is bounded, and the same
 * whether the symbol's memory is fresh or was used before.
 */
#include <stdint.h>
#include <stdlib.h>

#include "rust/demangle.h"
#include "rust/symbol_key.h"
#include "rust/symbol_path.h"

enum { ARGUMENTS_MAX = 20 };

static void print_all(struct text *text, struct symbol *symbol)
{
    struct symbol_crate crate = {0};
    struct symbol_owner owner = symbol_defining_crate(symbol);

    demangle_add(text, symbol, DEMANGLE_FULL);
    demangle_add(text, symbol, DEMANGLE_SHORT);
    symbol_add_key(text, symbol, SYMBOL_KEY_EXACT);
    symbol_add_key(text, symbol, SYMBOL_KEY_COMMON);
    symbol_add_module(text, symbol);
    text_add(text, owner.crate.name);
    text_add(text, owner.other.name);
    if (symbol_instantiating_crate(symbol, &crate))
        text_add(text, crate.name);
    for (size_t i = 0; i < ARGUMENTS_MAX && symbol_add_argument(text, symbol, i); i++)
        ;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    SCOPED(text_done) struct text first = {0};
    SCOPED(text_done) struct text again = {0};
    struct slice name = {(const char *)data, size};
    struct symbol symbol = {0};

    symbol_parse(&symbol, name);
    print_all(&first, &symbol);
    symbol_parse(&symbol, name);
    print_all(&again, &symbol);
    symbol_done(&symbol);
    if (!slice_equal(text_slice(&first), text_slice(&again)))
        abort();
    if (first.length > (6 + ARGUMENTS_MAX) * (DEMANGLE_LENGTH_MAX + 2 * size + 100))
        abort();
    return 0;
}
