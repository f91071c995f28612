#include "rust/symbol.h"

#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/memory.h"
#include "rust/symbol_node.h"

enum { NAME_LENGTH_MAX = 1 << 30 };

void symbol_done(struct symbol *symbol)
{
    free(symbol->nodes);
    text_done(&symbol->scratch);
    *symbol = (struct symbol){0};
}

void symbol_node_grow(struct symbol *symbol)
{
    symbol->node_capacity = symbol->node_capacity ? symbol->node_capacity * 2 : 64;
    symbol->nodes = memory_resize(symbol->nodes, symbol->node_capacity, sizeof(*symbol->nodes));
}

struct slice symbol_node_name(const struct symbol *symbol, const struct symbol_node *node)
{
    return (struct slice){symbol->mangled.data + node->name_start, node->name_length};
}

bool symbol_node_is_path(const struct symbol_node *node)
{
    return node->kind >= NODE_CRATE && node->kind <= NODE_PATH_BACKREF;
}

bool symbol_node_is_const(const struct symbol_node *node)
{
    return node->kind >= NODE_CONST_PLACEHOLDER && node->kind <= NODE_CONST_BACKREF;
}

/* The bytes that the decimal length at `start` counts: their offset, 0 when they are not all there. */
static size_t measure_element(struct slice text, size_t start, size_t *length)
{
    size_t at = start;

    *length = 0;
    for (; at < text.length && ascii_is_digit(text.data[at]); at++) {
        *length = *length * 10 + (size_t)(text.data[at] - '0');
        if (*length > text.length)
            return 0;
    }
    return at > start && *length <= text.length - at ? at : 0;
}

static void find_hash(struct symbol *symbol)
{
    struct slice last = {0};

    if (symbol->node_count == 0)
        return;
    last = symbol_node_name(symbol, &symbol->nodes[symbol->node_count - 1]);
    if (slice_skip(&last, SLICE("h")) && slice_is_hash(last))
        symbol->hash = last;
}

size_t symbol_parse_legacy(struct symbol *symbol, struct slice text)
{
    size_t at = 0;
    size_t length = 0;

    while (at < text.length && text.data[at] != 'E') {
        size_t start = measure_element(text, at, &length);
        uint32_t node = symbol_node_add(symbol, NODE_ELEMENT, (uint32_t)at);

        if (start == 0)
            return 0;
        symbol->nodes[node].name_start = (uint32_t)start;
        symbol->nodes[node].name_length = (uint32_t)length;
        at = start + length;
    }
    if (at == text.length)
        return 0;
    symbol->mangled = slice_range(text, 0, at);
    find_hash(symbol);
    return at + 1;
}

bool symbol_is_rust(const struct symbol *symbol)
{
    return symbol->kind == SYMBOL_RUST_LEGACY || symbol->kind == SYMBOL_RUST_V0;
}

/*
 * Cuts `@VERSION` and `.llvm.HEX` off. What follows ".llvm." must be nothing but digits,
 * upper case letters up to F and '@', as thin LTO writes it.
 */
static struct slice cut_additions(struct symbol *symbol, struct slice name)
{
    const char *dot = name.length ? memchr(name.data, '.', name.length) : NULL;
    const char *version = name.length ? memchr(name.data, '@', name.length) : NULL;
    size_t llvm = dot ? slice_find(name, SLICE(".llvm.")) : name.length;
    size_t digit = llvm + sizeof(".llvm.") - 1;

    while (digit < name.length && (ascii_is_digit(name.data[digit]) || name.data[digit] == '@' ||
                                   (name.data[digit] >= 'A' && name.data[digit] <= 'F')))
        digit++;
    if (llvm < name.length && digit == name.length) {
        symbol->llvm = slice_range(name, llvm, name.length);
        return slice_range(name, 0, llvm);
    }
    if (version && version > name.data) {
        size_t at = (size_t)(version - name.data);

        symbol->version = slice_range(name, at, name.length);
        return slice_range(name, 0, at);
    }
    return name;
}

/* Where a Rust name's text starts behind `mark`, of which Windows and macOS make "N" and "__N". */
static size_t prefix_length(struct slice name, struct slice mark)
{
    size_t underscores = 0;

    while (underscores < 2 && underscores < name.length && name.data[underscores] == '_')
        underscores++;
    if (!slice_starts_with(slice_range(name, underscores, name.length), mark))
        return 0;
    return underscores + mark.length;
}

/* Eight bytes at a time: it looks at every byte of every name. */
static bool is_ascii(struct slice text)
{
    uint64_t all = 0;
    uint64_t eight = 0;
    size_t i = 0;

    for (; i + sizeof(eight) <= text.length; i += sizeof(eight)) {
        memcpy(&eight, text.data + i, sizeof(eight));
        all |= eight;
    }
    for (; i < text.length; i++)
        all |= (unsigned char)text.data[i];
    return (all & 0x8080808080808080U) == 0;
}

/* A suffix is words with periods before them, without white space or control characters. */
static bool is_suffix(struct slice text)
{
    if (text.length > 0 && text.data[0] != '.')
        return false;
    for (size_t i = 0; i < text.length; i++)
        if (text.data[i] <= ' ' || text.data[i] > '~')
            return false;
    return true;
}

/* C++ has names of the legacy form too (`_ZN3foo3barE`), but neither Rust's hash nor its escapes. */
static bool is_legacy_rust(const struct symbol *symbol)
{
    return symbol->hash.length > 0 || symbol->node_count == 0 ||
           slice_find_byte(symbol->mangled, '$') < symbol->mangled.length ||
           slice_has(symbol->mangled, SLICE(".."));
}

/* Tries one mangling; what it leaves when it is not the right one is cleaned up. */
static bool parse_rust(struct symbol *symbol, struct slice name, enum symbol_kind kind)
{
    bool is_v0 = kind == SYMBOL_RUST_V0;
    size_t start = prefix_length(name, is_v0 ? SLICE("R") : SLICE("ZN"));
    struct slice text = slice_range(name, start, name.length);
    size_t taken = 0;

    if (start == 0 || text.length == 0 || !is_ascii(text))
        return false;
    taken = is_v0 ? symbol_parse_v0(symbol, text) : symbol_parse_legacy(symbol, text);
    if (taken > 0 && is_suffix(slice_range(text, taken, text.length))) {
        symbol->suffix = slice_range(text, taken, text.length);
        symbol->kind = kind;
        return true;
    }
    symbol->node_count = 0;
    symbol->instantiating_node = 0;
    symbol->hash = (struct slice){0};
    return false;
}

/* A name that no mangling made: what follows a period was added by a compiler. */
static void parse_plain(struct symbol *symbol, struct slice name)
{
    size_t dot = slice_find_byte(slice_range(name, 1, name.length), '.') + 1;
    bool is_cxx = slice_starts_with(name, SLICE("_Z")) || slice_starts_with(name, SLICE("__Z")) ||
                  slice_starts_with(name, SLICE("___Z"));

    symbol->kind = is_cxx ? SYMBOL_CXX : SYMBOL_OTHER;
    if (!is_suffix(slice_range(name, dot, name.length)))
        dot = name.length;
    symbol->mangled = slice_range(name, 0, dot);
    symbol->suffix = slice_range(name, dot, name.length);
}

void symbol_parse(struct symbol *symbol, struct slice name)
{
    struct slice rest = {0};

    symbol->kind = SYMBOL_OTHER;
    symbol->name = name;
    symbol->node_count = 0;
    symbol->instantiating_node = 0;
    symbol->mangled = symbol->suffix = symbol->llvm = symbol->version = symbol->hash = (struct slice){0};
    if (name.length == 0 || name.length > NAME_LENGTH_MAX) {
        symbol->mangled = name;
        return;
    }
    rest = cut_additions(symbol, name);
    if (parse_rust(symbol, rest, SYMBOL_RUST_V0))
        return;
    if (!parse_rust(symbol, rest, SYMBOL_RUST_LEGACY))
        parse_plain(symbol, rest);
    else if (!is_legacy_rust(symbol))
        symbol->kind = SYMBOL_CXX;
}
