#include "rust/symbol_numbers.h"

#include "base/ascii.h"
#include "rust/demangle.h"
#include "rust/demangle_output.h"
#include "rust/symbol_node.h"

/* Closures and shims, whose namespaces are capitals, have their numbers in the text. */
static bool is_hidden_item(const struct symbol_node *node)
{
    return node->kind == NODE_NESTED && node->tag >= 'a' && node->value > 0;
}

static void add_name(struct text *text, const struct symbol *symbol, const struct symbol_node *node)
{
    struct demangle_output output = {.text = text, .remaining = DEMANGLE_LENGTH_MAX};
    struct slice name = symbol_node_name(symbol, node);

    if (node->flags & NODE_PUNYCODE)
        demangle_emit_punycode(&output, name);
    else
        text_add(text, name.length > 0 ? name : SLICE("item"));
}

void symbol_add_numbers(struct text *text, const struct symbol *symbol)
{
    uint32_t end = symbol->instantiating_node ? symbol->instantiating_node : symbol->node_count;
    const char *separator = "";

    for (uint32_t i = 0; symbol->kind == SYMBOL_RUST_V0 && i < end; i++) {
        const struct symbol_node *node = &symbol->nodes[i];
        bool is_impl = node->kind == NODE_INHERENT_IMPL || node->kind == NODE_TRAIT_IMPL;

        if (!is_impl && !is_hidden_item(node))
            continue;
        text_add_string(text, separator);
        if (is_impl)
            text_add(text, SLICE("impl"));
        else
            add_name(text, symbol, node);
        text_add_byte(text, '#');
        text_add_decimal(text, node->value);
        separator = ", ";
    }
}

static bool is_letter(char byte)
{
    return (byte >= 'a' && byte <= 'z') || byte == '_';
}

/* The next "impl#3" or "closure#0" of a key, or an empty slice. */
static struct slice next_number(struct slice key, size_t *at)
{
    for (; *at < key.length; ++*at) {
        size_t start = *at;
        size_t end = *at + 1;

        if (key.data[*at] != '#')
            continue;
        while (start > 0 && is_letter(key.data[start - 1]))
            start--;
        while (end < key.length && ascii_is_digit(key.data[end]))
            end++;
        *at = end;
        return slice_range(key, start, end);
    }
    return (struct slice){0};
}

void symbol_key_add_numbers(struct text *text, struct slice key)
{
    const char *separator = "";
    size_t at = 0;

    for (struct slice number = next_number(key, &at); number.length > 0; number = next_number(key, &at)) {
        text_add_string(text, separator);
        text_add(text, number);
        separator = ", ";
    }
}
