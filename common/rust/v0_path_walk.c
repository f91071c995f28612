#include "rust/v0_path_walk.h"

static const struct symbol_node *at(const struct symbol *symbol, uint32_t node)
{
    return &symbol->nodes[node];
}

static bool is_backref(const struct symbol_node *node)
{
    return node->kind == NODE_PATH_BACKREF || node->kind == NODE_TYPE_BACKREF;
}

uint32_t v0_resolve(const struct symbol *symbol, uint32_t node)
{
    for (unsigned steps = 0; steps < SYMBOL_DEPTH_MAX && node < symbol->node_count; steps++) {
        const struct symbol_node *target = at(symbol, node);

        if (target->kind <= NODE_DEPTH_ERROR || (target->flags & NODE_BROKEN))
            return V0_NO_NODE;
        if (is_backref(target))
            node = (uint32_t)target->value;
        else if (target->kind == NODE_GENERIC)
            node++;
        else
            return node;
    }
    return V0_NO_NODE;
}

/* Child number `index`, or V0_NO_NODE. */
static uint32_t child(const struct symbol *symbol, uint32_t node, unsigned index)
{
    uint32_t found = node + 1;

    for (; index > 0 && found < at(symbol, node)->end; index--)
        found = at(symbol, found)->end;
    return found < at(symbol, node)->end ? found : V0_NO_NODE;
}

uint32_t v0_parent(const struct symbol *symbol, uint32_t node)
{
    enum symbol_node_kind kind = at(symbol, node)->kind;

    if (kind == NODE_TRAIT_ITEM)
        return v0_resolve(symbol, v0_trait(symbol, node));
    if (kind == NODE_NESTED || kind == NODE_INHERENT_IMPL || kind == NODE_TRAIT_IMPL)
        return v0_resolve(symbol, child(symbol, node, 0));
    return V0_NO_NODE;
}

uint32_t v0_root_crate(const struct symbol *symbol, uint32_t node)
{
    node = v0_resolve(symbol, node);
    for (unsigned steps = 0; node != V0_NO_NODE && steps < SYMBOL_DEPTH_MAX; steps++) {
        if (at(symbol, node)->kind == NODE_CRATE)
            return node;
        node = v0_parent(symbol, node);
    }
    return V0_NO_NODE;
}

uint32_t v0_self_type(const struct symbol *symbol, uint32_t node)
{
    enum symbol_node_kind kind = at(symbol, node)->kind;

    if (kind == NODE_TRAIT_ITEM)
        return child(symbol, node, 0);
    return kind == NODE_INHERENT_IMPL || kind == NODE_TRAIT_IMPL ? child(symbol, node, 1) : V0_NO_NODE;
}

uint32_t v0_trait(const struct symbol *symbol, uint32_t node)
{
    enum symbol_node_kind kind = at(symbol, node)->kind;

    if (kind == NODE_TRAIT_ITEM)
        return child(symbol, node, 1);
    return kind == NODE_TRAIT_IMPL ? child(symbol, node, 2) : V0_NO_NODE;
}

/* The child that a type without a path of its own is known by, where there is one alone. */
static uint32_t known_by(const struct symbol *symbol, uint32_t type)
{
    switch (at(symbol, type)->kind) {
    case NODE_REFERENCE:
    case NODE_POINTER:
    case NODE_ARRAY:
    case NODE_SLICE:
    case NODE_PATTERN_TYPE:
    case NODE_DYN:
    case NODE_DYN_TRAIT:
        return child(symbol, type, 0);
    default:
        return V0_NO_NODE;
    }
}

static uint32_t type_path(const struct symbol *symbol, uint32_t node, unsigned *steps)
{
    uint32_t found = V0_NO_NODE;

    node = v0_resolve(symbol, node);
    if (node == V0_NO_NODE || ++*steps > SYMBOL_DEPTH_MAX)
        return V0_NO_NODE;
    if (symbol_node_is_path(at(symbol, node)))
        return node;
    if (at(symbol, node)->kind != NODE_TUPLE) {
        found = known_by(symbol, node);
        return found == V0_NO_NODE ? found : type_path(symbol, found, steps);
    }
    for (uint32_t item = node + 1; item < at(symbol, node)->end && found == V0_NO_NODE;
         item = at(symbol, item)->end)
        found = type_path(symbol, item, steps);
    return found;
}

uint32_t v0_type_path(const struct symbol *symbol, uint32_t node)
{
    unsigned steps = 0;

    return type_path(symbol, node, &steps);
}
