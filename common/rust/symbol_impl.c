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

/* The path with its arguments behind it that the node, a path or type, means; V0_NO_NODE when it has none. */
static uint32_t generic_at(const struct symbol *symbol, uint32_t node)
{
    for (unsigned steps = 0; node < symbol->node_count && steps < SYMBOL_DEPTH_MAX; steps++) {
        const struct symbol_node *path = &symbol->nodes[node];

        if (path->kind == NODE_GENERIC)
            return node;
        if ((path->kind != NODE_PATH_BACKREF && path->kind != NODE_TYPE_BACKREF) ||
            (path->flags & NODE_BROKEN))
            break;
        node = (uint32_t)path->value;
    }
    return V0_NO_NODE;
}

typedef bool is_wanted_fn(const struct symbol_node *argument);

static bool is_no_lifetime(const struct symbol_node *argument)
{
    return argument->kind != NODE_LIFETIME;
}

static bool is_constant(const struct symbol_node *argument)
{
    return argument->kind >= NODE_CONST_PLACEHOLDER && argument->kind <= NODE_CONST_BACKREF;
}

/* Appends the first such argument of a generic path, which V0_NO_NODE has none of. */
static bool add_argument(struct text *text, const struct symbol *symbol, uint32_t generic,
                         is_wanted_fn *is_wanted)
{
    uint32_t item = 0;

    if (generic == V0_NO_NODE)
        return false;
    item = symbol->nodes[generic + 1].end;
    while (item < symbol->nodes[generic].end && !is_wanted(&symbol->nodes[item]))
        item = symbol->nodes[item].end;
    if (item >= symbol->nodes[generic].end)
        return false;
    v0_add_node(text, symbol, item);
    return true;
}

bool symbol_add_impl_argument(struct text *text, const struct symbol *symbol)
{
    uint32_t impl = impl_of(symbol);

    return impl != V0_NO_NODE &&
           (add_argument(text, symbol, generic_at(symbol, v0_trait(symbol, impl)), is_no_lifetime) ||
            add_argument(text, symbol, generic_at(symbol, v0_self_type(symbol, impl)), is_constant));
}
