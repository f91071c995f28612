#include "rust/symbol_impl.h"

#include "rust/key_printers.h"
#include "rust/v0_path_walk.h"
#include "rust/v0_printer.h"

/* The innermost impl that the function is in, or V0_NO_NODE. */
static uint32_t impl_of(const struct symbol *symbol)
{
    uint32_t node = symbol->kind == SYMBOL_RUST_V0 ? v0_resolve(symbol, 0) : V0_NO_NODE;

    for (unsigned steps = 0; node != V0_NO_NODE && steps < SYMBOL_DEPTH_MAX; steps++) {
        enum symbol_node_kind kind = symbol->nodes[node].kind;

        if (kind == NODE_INHERENT_IMPL || kind == NODE_TRAIT_IMPL)
            return node;
        node = v0_parent(symbol, node);
    }
    return V0_NO_NODE;
}

bool symbol_add_impl_type(struct text *text, const struct symbol *symbol)
{
    uint32_t impl = impl_of(symbol);
    uint32_t self = impl == V0_NO_NODE ? impl : v0_self_type(symbol, impl);
    size_t before = text->length;

    if (self != V0_NO_NODE)
        v0_add_type_head(text, symbol, self);
    return text->length > before;
}

/* The trait's path with its arguments behind it; V0_NO_NODE when it has none. */
static uint32_t generic_trait(const struct symbol *symbol, uint32_t impl)
{
    uint32_t node = impl == V0_NO_NODE ? impl : v0_trait(symbol, impl);

    for (unsigned steps = 0; node < symbol->node_count && steps < SYMBOL_DEPTH_MAX; steps++) {
        const struct symbol_node *trait = &symbol->nodes[node];

        if (trait->kind == NODE_GENERIC)
            return node;
        if (trait->kind != NODE_PATH_BACKREF || (trait->flags & NODE_BROKEN))
            break;
        node = (uint32_t)trait->value;
    }
    return V0_NO_NODE;
}

bool symbol_add_impl_argument(struct text *text, const struct symbol *symbol)
{
    uint32_t generic = generic_trait(symbol, impl_of(symbol));
    uint32_t item = 0;

    if (generic == V0_NO_NODE)
        return false;
    item = symbol->nodes[generic + 1].end;
    while (item < symbol->nodes[generic].end && symbol->nodes[item].kind == NODE_LIFETIME)
        item = symbol->nodes[item].end;
    if (item >= symbol->nodes[generic].end)
        return false;
    v0_add_node(text, symbol, item);
    return true;
}
