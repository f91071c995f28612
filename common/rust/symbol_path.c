#include "rust/symbol_path.h"

#include "rust/legacy_owner.h"
#include "rust/legacy_path.h"
#include "rust/v0_path_walk.h"
#include "rust/v0_printer.h"

/* The crate at the root of the path at `node`. */
static bool root_crate(const struct symbol *symbol, uint32_t node, struct symbol_crate *crate)
{
    node = v0_root_crate(symbol, node);
    if (node == V0_NO_NODE)
        return false;
    crate->name = symbol_node_name(symbol, &symbol->nodes[node]);
    crate->disambiguator = symbol->nodes[node].value;
    return true;
}

bool symbol_instantiating_crate(const struct symbol *symbol, struct symbol_crate *crate)
{
    return symbol->kind == SYMBOL_RUST_V0 && symbol->instantiating_node != 0 &&
           root_crate(symbol, symbol->instantiating_node, crate);
}

struct slice symbol_instance(const struct symbol *symbol)
{
    if (symbol->kind != SYMBOL_RUST_V0 || symbol->instantiating_node == 0)
        return symbol->name;
    return (struct slice){symbol->name.data, (size_t)(symbol->mangled.data - symbol->name.data) +
                                                 symbol->nodes[symbol->instantiating_node].start};
}

bool symbol_next_crate(const struct symbol *symbol, uint32_t *at, struct symbol_crate *crate)
{
    uint32_t end = symbol->instantiating_node ? symbol->instantiating_node : symbol->node_count;

    for (; symbol->kind == SYMBOL_RUST_V0 && *at < end; ++*at)
        if (symbol->nodes[*at].kind == NODE_CRATE) {
            crate->name = symbol_node_name(symbol, &symbol->nodes[*at]);
            crate->disambiguator = symbol->nodes[*at].value;
            ++*at;
            return true;
        }
    return false;
}

void symbol_change_crates(struct symbol *symbol, symbol_change_crate *change, void *context)
{
    for (uint32_t i = 0; symbol->kind == SYMBOL_RUST_V0 && i < symbol->node_count; i++) {
        struct symbol_node *node = &symbol->nodes[i];
        struct symbol_crate crate = {symbol_node_name(symbol, node), node->value};

        if (node->kind != NODE_CRATE)
            continue;
        change(context, &crate);
        node->value = crate.disambiguator;
    }
}

static bool is_backref(const struct symbol_node *node)
{
    return node->kind == NODE_PATH_BACKREF || node->kind == NODE_TYPE_BACKREF ||
           node->kind == NODE_CONST_BACKREF;
}

/* Back references name nodes and not places in the text, which move with the length of the numbers in it. */
void symbol_add_structure(struct text *text, const struct symbol *symbol)
{
    uint32_t end = symbol->instantiating_node ? symbol->instantiating_node : symbol->node_count;

    for (uint32_t i = 0; symbol->kind == SYMBOL_RUST_V0 && i < end; i++) {
        const struct symbol_node *node = &symbol->nodes[i];

        text_format(text, "%u.%u.%u.%u.%llx", node->kind, node->tag, node->flags, node->end,
                    (unsigned long long)node->value);
        text_add_byte(text, ':');
        if (!is_backref(node) && node->name_length > 0)
            text_add(text, symbol_node_name(symbol, node));
        text_add_byte(text, ';');
    }
}

struct symbol_owner symbol_defining_crate(struct symbol *symbol)
{
    struct symbol_owner owner = {.certainty = SYMBOL_UNKNOWN};

    if (symbol->kind == SYMBOL_RUST_LEGACY)
        return legacy_owner(legacy_path_of(symbol));
    if (symbol->kind == SYMBOL_RUST_V0 && root_crate(symbol, 0, &owner.crate))
        owner.certainty = SYMBOL_EXACT;
    return owner;
}

/* Traits and other types begin with a capital where modules do not. */
static bool is_capital(const struct symbol *symbol, const struct symbol_node *node)
{
    struct slice name = symbol_node_name(symbol, node);

    return name.length > 0 && name.data[0] >= 'A' && name.data[0] <= 'Z';
}

/* The path's last module: up the path for as long as something else is on the way. */
static uint32_t module_node(const struct symbol *symbol, uint32_t node)
{
    uint32_t module = V0_NO_NODE;

    node = v0_resolve(symbol, node);
    for (unsigned steps = 0; node != V0_NO_NODE && steps < SYMBOL_DEPTH_MAX; steps++) {
        const struct symbol_node *at = &symbol->nodes[node];

        if (at->kind == NODE_CRATE || (at->kind == NODE_NESTED && at->tag == 't' && !is_capital(symbol, at)))
            module = module == V0_NO_NODE ? node : module;
        else
            module = V0_NO_NODE;
        node = v0_parent(symbol, node);
    }
    return module;
}

/* The path that tells the module of "<self as trait>": of the one that is its owner's. */
static struct legacy_path path_beside(struct legacy_path path)
{
    for (unsigned depth = 0; path.form == LEGACY_QUALIFIED && depth < SYMBOL_DEPTH_MAX; depth++) {
        struct slice self = legacy_type_path(path.self, true);
        struct slice crate = legacy_crate_of(self);
        bool is_self = slice_starts_with(self, SLICE("<")) ||
                       (crate.length > 0 && slice_equal(crate, legacy_owner(path).crate.name));

        path = legacy_path_read(is_self ? self : path.trait);
    }
    return path;
}

static bool is_legacy_module(struct slice component)
{
    return component.length > 0 && !(component.data[0] >= 'A' && component.data[0] <= 'Z') &&
           slice_find_byte(component, '<') == component.length && !slice_is(component, "_");
}

static void add_legacy_module(struct text *text, struct legacy_path path)
{
    struct slice rest = {0};
    struct slice component = {0};
    bool is_first = true;

    path = path_beside(path);
    rest = path.before;
    while (legacy_next_component(&rest, &component)) {
        bool is_item =
            path.form != LEGACY_IMPL && (rest.length == 0 || slice_starts_with(rest, SLICE("::{")) ||
                                         slice_starts_with(rest, SLICE("::<")));

        if (!is_first && (is_item || !is_legacy_module(component)))
            return;
        if (!is_first)
            text_add(text, SLICE("::"));
        text_add(text, legacy_without_arguments(component));
        is_first = false;
    }
}

void symbol_add_module(struct text *text, struct symbol *symbol)
{
    uint32_t node = V0_NO_NODE;

    if (symbol->kind == SYMBOL_RUST_LEGACY) {
        add_legacy_module(text, legacy_path_of(symbol));
    } else if (symbol->kind == SYMBOL_RUST_V0) {
        node = module_node(symbol, 0);
        if (node != V0_NO_NODE)
            v0_add_node(text, symbol, node);
    }
}

void symbol_add_module_of_text(struct text *text, struct slice name)
{
    struct legacy_path path = legacy_path_read(name);

    /* Of "main" alone nobody knows where it stands. */
    if (path.form != LEGACY_PLAIN || legacy_find_outside(path.before, SLICE("::")) < path.before.length)
        add_legacy_module(text, path);
}

/* Where arguments are looked for: how many are still to be passed over. */
struct argument_search {
    const struct symbol *symbol;
    size_t left;
    unsigned depth;
};

static uint32_t find_argument(struct argument_search *search, uint32_t node);

static uint32_t take_argument(struct argument_search *search, uint32_t node)
{
    return node == V0_NO_NODE || search->left-- > 0 ? V0_NO_NODE : node;
}

static uint32_t find_in_list(struct argument_search *search, uint32_t generic)
{
    const struct symbol_node *nodes = search->symbol->nodes;
    uint32_t found = V0_NO_NODE;

    for (uint32_t item = nodes[generic + 1].end; item < nodes[generic].end && found == V0_NO_NODE;
         item = nodes[item].end)
        if (nodes[item].kind != NODE_LIFETIME)
            found = take_argument(search, item);
    return found;
}

/* The argument in the path at `node`, arguments of what it stands in first. */
static uint32_t find_argument(struct argument_search *search, uint32_t node)
{
    const struct symbol *symbol = search->symbol;
    uint32_t found = V0_NO_NODE;

    if (node == V0_NO_NODE || ++search->depth > SYMBOL_DEPTH_MAX)
        return V0_NO_NODE;
    switch (symbol->nodes[node].kind) {
    case NODE_PATH_BACKREF:
        return symbol->nodes[node].flags & NODE_BROKEN
                   ? V0_NO_NODE
                   : find_argument(search, (uint32_t)symbol->nodes[node].value);
    case NODE_GENERIC:
        found = find_argument(search, node + 1);
        return found == V0_NO_NODE ? find_in_list(search, node) : found;
    case NODE_NESTED:
        return find_argument(search, node + 1);
    case NODE_INHERENT_IMPL:
    case NODE_TRAIT_IMPL:
    case NODE_TRAIT_ITEM:
        found = take_argument(search, v0_self_type(symbol, node));
        return found == V0_NO_NODE ? find_argument(search, v0_trait(symbol, node)) : found;
    default:
        return V0_NO_NODE;
    }
}

static uint32_t argument_node(const struct symbol *symbol, size_t index)
{
    struct argument_search search = {.symbol = symbol, .left = index};

    return symbol->kind == SYMBOL_RUST_V0 ? find_argument(&search, 0) : V0_NO_NODE;
}

bool symbol_add_argument(struct text *text, const struct symbol *symbol, size_t index)
{
    uint32_t node = argument_node(symbol, index);

    if (node == V0_NO_NODE)
        return false;
    v0_add_node(text, symbol, node);
    return true;
}

void symbol_add_arguments(struct text *text, const struct symbol *symbol)
{
    for (size_t i = 0;; i++) {
        size_t before = text->length;

        if (i > 0)
            text_add_string(text, ", ");
        if (!symbol_add_argument(text, symbol, i)) {
            text->length = before;
            return;
        }
    }
}

/* The path that the argument is known by, V0_NO_NODE when it has none. */
static uint32_t argument_path(const struct symbol *symbol, size_t index)
{
    uint32_t node = argument_node(symbol, index);

    return node == V0_NO_NODE ? node : v0_type_path(symbol, node);
}

bool symbol_argument_crate(const struct symbol *symbol, size_t index, struct symbol_crate *crate)
{
    uint32_t path = argument_path(symbol, index);

    return path != V0_NO_NODE && root_crate(symbol, path, crate);
}

bool symbol_add_argument_module(struct text *text, const struct symbol *symbol, size_t index)
{
    uint32_t path = argument_path(symbol, index);
    uint32_t module = path == V0_NO_NODE ? path : module_node(symbol, path);

    if (module == V0_NO_NODE)
        return false;
    v0_add_node(text, symbol, module);
    return true;
}
