#include "rust/demangle.h"

#include "rust/cxx.h"
#include "rust/demangle_output.h"

/* Names of the legacy form without Rust's hash are demangled too, whichever language made them. */
static bool has_tree(const struct symbol *symbol)
{
    return symbol_is_rust(symbol) || symbol->node_count > 0;
}

void demangle_add(struct text *text, const struct symbol *symbol, enum demangle_form form)
{
    struct demangle_output output = {.text = text, .remaining = DEMANGLE_LENGTH_MAX};

    if (symbol->kind == SYMBOL_RUST_V0)
        demangle_v0(&output, symbol, form == DEMANGLE_SHORT);
    else if (has_tree(symbol))
        demangle_legacy(&output, symbol, form == DEMANGLE_SHORT);
    else if (symbol->kind != SYMBOL_CXX || !cxx_demangle(text, symbol->mangled))
        text_add(text, symbol->mangled);
    if (output.is_full)
        text_add(text, SLICE("{size limit reached}"));
    text_add(text, symbol->suffix);
    text_add(text, symbol->version);
}

void demangle_add_name(struct text *text, struct symbol *symbol, struct slice name, enum demangle_form form)
{
    symbol_parse(symbol, name);
    demangle_add(text, symbol, form);
}
