#include "rust/demangle.h"
#include "rust/key_printers.h"
#include "rust/v0_path_walk.h"
#include "rust/v0_printer.h"

struct key {
    struct text *text;
    const struct symbol *symbol;
    bool is_exact;
    bool merges_closures;
    unsigned depth;
};

static void add_path(struct key *key, uint32_t node);

static void add_name(struct key *key, const struct symbol_node *node)
{
    struct demangle_output output = {.text = key->text, .remaining = DEMANGLE_LENGTH_MAX};
    struct slice name = symbol_node_name(key->symbol, node);

    if (node->flags & NODE_PUNYCODE)
        demangle_emit_punycode(&output, name);
    else
        text_add(key->text, name);
}

static void add_number(struct key *key, uint64_t number)
{
    if (!key->is_exact)
        return;
    text_add_byte(key->text, '#');
    text_add_decimal(key->text, number);
}

/* A constant without a name, of which legacy names show nothing in common. */
static bool is_dropped(const struct key *key, const struct symbol_node *node)
{
    return !key->is_exact && node->name_length == 0 && (node->tag == 'K' || node->tag > 'Z');
}

/* "{closure#0}", "{shim:vtable#0}", "{k#0}"; without numbers where they are not kept. */
static void add_special(struct key *key, const struct symbol_node *node)
{
    text_add(key->text, SLICE("::{"));
    if (node->tag == 'C')
        text_add(key->text, SLICE("closure"));
    else if (node->tag == 'S')
        text_add(key->text, SLICE("shim"));
    else
        text_add_byte(key->text, (char)node->tag);
    if (node->name_length > 0) {
        text_add_byte(key->text, ':');
        add_name(key, node);
    }
    if (!key->merges_closures)
        add_number(key, node->value);
    text_add_byte(key->text, '}');
}

static void add_nested(struct key *key, uint32_t node)
{
    const struct symbol_node *nested = &key->symbol->nodes[node];

    add_path(key, v0_parent(key->symbol, node));
    if (is_dropped(key, nested))
        return;
    if (nested->tag <= 'Z' || nested->name_length == 0) {
        add_special(key, nested);
    } else {
        text_add(key->text, SLICE("::"));
        add_name(key, nested);
        if (nested->value > 0)
            add_number(key, nested->value);
    }
}

static struct slice prefix_of(const struct symbol_node *type)
{
    switch (type->kind) {
    case NODE_REFERENCE:
        return type->tag == 'Q' ? SLICE("&mut ") : SLICE("&");
    case NODE_POINTER:
        return type->tag == 'O' ? SLICE("*mut ") : SLICE("*const ");
    default:
        return SLICE("[");
    }
}

/*
 * A type without its arguments. What it refers to, points to or is an array of may be a
 * parameter, unless it is known to be the path that the impl stands beside.
 */
static void add_type_head(struct key *key, uint32_t type, uint32_t beside)
{
    const struct symbol_node *node = NULL;

    type = v0_resolve(key->symbol, type);
    if (type == V0_NO_NODE)
        return;
    node = &key->symbol->nodes[type];
    if (symbol_node_is_path(node))
        add_path(key, type);
    else if (node->kind == NODE_BASIC)
        text_add(key->text, v0_basic_type_name(node->tag));
    else if (node->kind >= NODE_REFERENCE && node->kind <= NODE_SLICE) {
        text_add(key->text, prefix_of(node));
        if (beside != V0_NO_NODE && v0_resolve(key->symbol, type + 1) == beside)
            add_path(key, beside);
        else
            text_add_byte(key->text, '_');
        if (node->kind == NODE_ARRAY || node->kind == NODE_SLICE)
            text_add_byte(key->text, ']');
    } else if (node->kind == NODE_TUPLE)
        text_add(key->text, SLICE("(_)"));
    else if (node->kind == NODE_FUNCTION)
        text_add(key->text, SLICE("fn"));
    else if (node->kind == NODE_DYN) {
        text_add(key->text, SLICE("dyn "));
        add_path(key, v0_type_path(key->symbol, type));
    }
}

static bool is_same_item(const struct symbol *symbol, uint32_t a, uint32_t b)
{
    const struct symbol_node *left = &symbol->nodes[a];
    const struct symbol_node *right = &symbol->nodes[b];

    return left->kind == right->kind && left->tag == right->tag && left->value == right->value &&
           slice_equal(symbol_node_name(symbol, left), symbol_node_name(symbol, right));
}

static bool is_same_path(const struct symbol *symbol, uint32_t a, uint32_t b)
{
    for (unsigned steps = 0; steps < SYMBOL_DEPTH_MAX; steps++) {
        if (a == b || a == V0_NO_NODE || b == V0_NO_NODE)
            return a == b;
        if (!is_same_item(symbol, a, b))
            return false;
        a = v0_parent(symbol, a);
        b = v0_parent(symbol, b);
    }
    return false;
}

/* Whether `path` stands directly in the module of the impl. */
static bool is_beside(const struct symbol *symbol, uint32_t path, uint32_t impl)
{
    return path != V0_NO_NODE && is_same_path(symbol, v0_parent(symbol, path), v0_parent(symbol, impl));
}

/* The path alone, or "<head>" for a type that has none of its own. */
static void add_self(struct key *key, uint32_t type)
{
    uint32_t node = v0_resolve(key->symbol, type);

    if (node != V0_NO_NODE && symbol_node_is_path(&key->symbol->nodes[node])) {
        add_path(key, node);
        return;
    }
    text_add_byte(key->text, '<');
    add_type_head(key, type, V0_NO_NODE);
    text_add_byte(key->text, '>');
}

/*
 * Whether the impl is in another crate than its trait. Its self type is then no parameter, nor a reference to
 * one: only a trait's own crate may implement it for all types (the orphan rule, RFC 2451).
 */
static bool is_of_foreign_trait(const struct symbol *symbol, uint32_t impl, uint32_t trait)
{
    uint32_t crate = v0_root_crate(symbol, v0_parent(symbol, impl));
    uint32_t trait_crate = v0_root_crate(symbol, trait);

    return crate != V0_NO_NODE && trait_crate != V0_NO_NODE && !is_same_item(symbol, crate, trait_crate);
}

static bool is_basic(const struct symbol *symbol, uint32_t type)
{
    type = v0_resolve(symbol, type);
    return type != V0_NO_NODE && symbol->nodes[type].kind == NODE_BASIC;
}

/* "Trait for Type" of an impl that is beside neither, or "Type"; "Trait" where the type may be a parameter.
 */
static void add_impl_away(struct key *key, uint32_t node, uint32_t trait)
{
    uint32_t self = v0_self_type(key->symbol, node);
    uint32_t known_by = v0_resolve(key->symbol, self);

    if (trait == V0_NO_NODE) {
        add_type_head(key, self, V0_NO_NODE);
        return;
    }
    add_path(key, trait);
    if (!is_of_foreign_trait(key->symbol, node, trait) && !is_basic(key->symbol, self))
        return;
    text_add(key->text, SLICE(" for "));
    if (known_by != V0_NO_NODE && key->symbol->nodes[known_by].kind == NODE_REFERENCE)
        known_by = v0_type_path(key->symbol, self);
    else
        known_by = V0_NO_NODE;
    add_type_head(key, self, known_by);
}

/*
 * As rustc's legacy mangler writes impls (default_print_impl_path): one beside its self type
 * or its trait by these, others by their module.
 */
static void add_common_impl(struct key *key, uint32_t node)
{
    const struct symbol *symbol = key->symbol;
    uint32_t self = v0_self_type(symbol, node);
    uint32_t trait = v0_trait(symbol, node);
    bool is_beside_self = is_beside(symbol, v0_type_path(symbol, self), node);
    bool is_beside_trait = trait != V0_NO_NODE && is_beside(symbol, v0_resolve(symbol, trait), node);

    if (trait == V0_NO_NODE && is_beside_self) {
        add_self(key, self);
        return;
    }
    if (is_beside_self || is_beside_trait) {
        text_add_byte(key->text, '<');
        if (is_beside_self)
            add_type_head(key, self, v0_type_path(symbol, self));
        else
            text_add_byte(key->text, '_');
        text_add(key->text, SLICE(" as "));
        add_path(key, trait);
    } else {
        add_path(key, v0_parent(symbol, node));
        text_add(key->text, SLICE("::<impl "));
        add_impl_away(key, node, trait);
    }
    text_add_byte(key->text, '>');
}

static void add_exact_impl(struct key *key, uint32_t node)
{
    uint32_t trait = v0_trait(key->symbol, node);

    add_path(key, v0_parent(key->symbol, node));
    text_add(key->text, SLICE("::<impl"));
    add_number(key, key->symbol->nodes[node].value);
    if (trait != V0_NO_NODE) {
        text_add_byte(key->text, ' ');
        add_path(key, trait);
    }
    text_add_byte(key->text, '>');
}

static void add_crate(struct key *key, const struct symbol_node *node)
{
    add_name(key, node);
    if (!key->is_exact || node->value == 0)
        return;
    text_add_byte(key->text, '[');
    text_add_hex(key->text, node->value);
    text_add_byte(key->text, ']');
}

static void add_path(struct key *key, uint32_t node)
{
    node = node == V0_NO_NODE ? node : v0_resolve(key->symbol, node);
    if (node == V0_NO_NODE || key->depth >= SYMBOL_DEPTH_MAX || key->text->length > DEMANGLE_LENGTH_MAX)
        return;
    key->depth++;
    switch (key->symbol->nodes[node].kind) {
    case NODE_CRATE:
        add_crate(key, &key->symbol->nodes[node]);
        break;
    case NODE_NESTED:
        add_nested(key, node);
        break;
    case NODE_TRAIT_ITEM:
        add_path(key, v0_trait(key->symbol, node));
        break;
    case NODE_INHERENT_IMPL:
    case NODE_TRAIT_IMPL:
        if (key->is_exact)
            add_exact_impl(key, node);
        else
            add_common_impl(key, node);
        break;
    default:
        break;
    }
    key->depth--;
}

void v0_add_key(struct text *text, const struct symbol *symbol, enum symbol_key key)
{
    struct key printer = {
        .text = text,
        .symbol = symbol,
        .is_exact = key != SYMBOL_KEY_COMMON,
        .merges_closures = key == SYMBOL_KEY_MERGED,
    };

    add_path(&printer, 0);
}

void v0_add_type_head(struct text *text, const struct symbol *symbol, uint32_t type)
{
    struct key printer = {.text = text, .symbol = symbol};

    add_type_head(&printer, type, V0_NO_NODE);
}
