#include "rust/v0_parser.h"

#include "base/search.h"

/*
 * Nodes that start where back references point but were not parsed as what is meant there.
 * rustc makes no such names; an attacker's may start anywhere, even inside an identifier.
 */
enum { FRAGMENTS_MAX = 64, FRAGMENT_NODES_MAX = 100000 };

struct fragments {
    uint32_t roots[FRAGMENTS_MAX];
    enum symbol_node_kind wanted[FRAGMENTS_MAX]; /* the back reference's kind */
    uint32_t starts[FRAGMENTS_MAX];
    uint32_t count;
    uint32_t main_count; /* nodes of the name itself, in order of their starts */
};

static bool is_wanted(const struct symbol_node *node, enum symbol_node_kind backref)
{
    if (backref == NODE_CONST_BACKREF)
        return symbol_node_is_const(node);
    if (symbol_node_is_path(node))
        return backref == NODE_PATH_BACKREF || node->kind != NODE_PATH_BACKREF;
    return backref == NODE_TYPE_BACKREF && node->kind >= NODE_BASIC && node->kind <= NODE_TYPE_BACKREF &&
           node->kind != NODE_DYN_TRAIT && node->kind != NODE_ASSOCIATED;
}

/*
 * The node of the name itself that starts at `start` and is what the back reference wants,
 * or UINT32_MAX. A trait's entry in a list of traits starts where its path does.
 */
static uint32_t find_node(const struct symbol *symbol, uint32_t count, uint32_t start,
                          enum symbol_node_kind backref)
{
    uint32_t low = (uint32_t)SEARCH_FROM(symbol->nodes, count, start, start);

    for (; low < count && symbol->nodes[low].start == start; low++)
        if (is_wanted(&symbol->nodes[low], backref))
            return low;
    return UINT32_MAX;
}

static bool parse_fragment(struct v0_parser *parser, enum symbol_node_kind backref)
{
    if (backref == NODE_PATH_BACKREF)
        return v0_parse_path(parser);
    return backref == NODE_TYPE_BACKREF ? v0_parse_type(parser) : v0_parse_const(parser);
}

/* The root of the fragment at `start`, which is parsed when it was not yet. */
static uint32_t find_fragment(struct v0_parser *parser, struct fragments *fragments,
                              enum symbol_node_kind backref, uint32_t start)
{
    uint32_t root = parser->symbol->node_count;
    uint32_t i = 0;

    while (i < fragments->count && (fragments->starts[i] != start || fragments->wanted[i] != backref))
        i++;
    if (i < fragments->count)
        return fragments->roots[i];
    if (i == FRAGMENTS_MAX || root - fragments->main_count > FRAGMENT_NODES_MAX) {
        v0_fail_syntax(parser);
        return root;
    }
    fragments->roots[i] = root;
    fragments->starts[i] = start;
    fragments->wanted[i] = backref;
    fragments->count++;
    parser->scan.next = start;
    parser->depth = 0;
    parse_fragment(parser, backref);
    return root;
}

/* Turns the offset in every back reference into the node meant, also in what that adds. */
static void resolve_backrefs(struct v0_parser *parser)
{
    struct fragments fragments; /* not all zeroed, for speed: the first `count` of each array are set */

    fragments.count = 0;
    fragments.main_count = parser->symbol->node_count;
    for (uint32_t i = parser->first_backref; i > 0; i = v0_at(parser, i)->next_backref) {
        enum symbol_node_kind kind = v0_at(parser, i)->kind;
        uint32_t start = (uint32_t)v0_at(parser, i)->value;
        uint32_t found = find_node(parser->symbol, fragments.main_count, start, kind);

        if (found == UINT32_MAX)
            found = find_fragment(parser, &fragments, kind, start);
        v0_at(parser, i)->value = found;
    }
}

size_t symbol_parse_v0(struct symbol *symbol, struct slice text)
{
    struct v0_parser parser = {.scan = {text.data, (uint32_t)text.length, 0}, .symbol = symbol};
    uint32_t taken = 0;
    char next = 0;

    symbol->mangled = text;
    if (text.data[0] < 'A' || text.data[0] > 'Z' || !v0_parse_path(&parser))
        return 0;
    next = v0_peek(&parser.scan);
    if (next >= 'A' && next <= 'Z') {
        symbol->instantiating_node = symbol->node_count;
        if (!v0_parse_path(&parser))
            return 0;
    }
    taken = parser.scan.next;
    symbol->mangled = slice_range(text, 0, taken);
    resolve_backrefs(&parser);
    return taken;
}
