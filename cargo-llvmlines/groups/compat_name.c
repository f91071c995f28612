#include "groups/compat_name.h"

#include "rust/demangle.h"
#include "rust/symbol_key.h"

/* "::h" and 16 digits. */
static bool has_hash(struct slice name)
{
    enum { LENGTH = 3 + 16 };
    struct slice hash = slice_range(name, name.length - LENGTH, name.length);

    return name.length >= LENGTH && slice_skip(&hash, SLICE("::h")) && slice_is_hash(hash);
}

/* As LLVM prints what stands in quotes (printEscapedString). */
static void add_escaped(struct text *text, struct slice name)
{
    for (size_t i = 0; i < name.length && name.data[i] != '('; i++) {
        unsigned char byte = (unsigned char)name.data[i];

        if (byte < ' ' || byte > '~' || byte == '"' || byte == '\\')
            text_format(text, "\\%02X", byte);
        else
            text_add_byte(text, (char)byte);
    }
}

/* Without arguments and hashes, "f::{{closure}}": a v0 name as near to the legacy one as it tells. */
static void add_as_legacy(struct text *text, struct symbol *symbol)
{
    SCOPED(text_done) struct text key = {0};

    symbol_add_key(&key, symbol, SYMBOL_KEY_COMMON);
    for (size_t i = 0; i < key.length; i++) {
        if (key.data[i] == '{' || key.data[i] == '}')
            text_add_byte(text, key.data[i]);
        text_add_byte(text, key.data[i]);
    }
}

void compat_add_name(struct text *text, struct symbol *symbol)
{
    size_t start = text->length;
    struct slice added;

    if (symbol->kind == SYMBOL_RUST_V0) {
        add_as_legacy(text, symbol);
        return;
    }
    if (!symbol_is_rust(symbol)) {
        add_escaped(text, symbol->name);
        return;
    }
    demangle_add(text, symbol, DEMANGLE_FULL);
    added = slice_range(text_slice(text), start, text->length);
    if (has_hash(added))
        text->length -= SLICE("::h0123456789abcdef").length;
}
