#include "rust/v0_parser.h"

bool v0_parse_backref(struct v0_parser *parser, enum symbol_node_kind kind)
{
    uint32_t node = v0_open_node(parser, kind);
    uint64_t target = 0;

    if (!v0_base62(&parser->scan, &target) || target >= v0_at(parser, node)->start)
        return v0_close_node(parser, node, v0_fail_before_children(parser, node));
    v0_at(parser, node)->value = target;
    if (parser->last_backref > 0)
        v0_at(parser, parser->last_backref)->next_backref = node;
    else
        parser->first_backref = node;
    parser->last_backref = node;
    if (parser->depth + 1 > parser->deepest)
        parser->deepest = parser->depth + 1;
    if (parser->depth == SYMBOL_DEPTH_MAX)
        return v0_close_node(parser, node, v0_fail(parser, NODE_DEPTH_ERROR, 0));
    return true;
}

bool v0_parse_lifetime(struct v0_parser *parser)
{
    uint64_t index = 0;
    uint32_t node = v0_open_node(parser, NODE_LIFETIME);

    if (!v0_base62(&parser->scan, &index))
        return v0_close_node(parser, node, v0_fail_before_children(parser, node));
    v0_at(parser, node)->value = index;
    return true;
}

static bool parse_generic_argument(struct v0_parser *parser)
{
    if (v0_eat(&parser->scan, 'L'))
        return v0_parse_lifetime(parser);
    if (v0_eat(&parser->scan, 'K'))
        return v0_parse_const(parser);
    return v0_parse_type(parser);
}

bool v0_parse_generic(struct v0_parser *parser)
{
    uint32_t node = v0_open_node(parser, NODE_GENERIC);

    return v0_close_node(parser, node,
                         v0_parse_path(parser) && v0_parse_list(parser, parse_generic_argument));
}

static bool parse_nested(struct v0_parser *parser)
{
    uint32_t node = 0;
    char name_space = v0_peek(&parser->scan);

    if (!((name_space >= 'a' && name_space <= 'z') || (name_space >= 'A' && name_space <= 'Z')))
        return v0_fail(parser, NODE_SYNTAX_ERROR, 1);
    node = v0_open_node(parser, NODE_NESTED);
    v0_at(parser, node)->tag = (uint8_t)name_space;
    parser->scan.next++;
    return v0_close_node(parser, node, v0_parse_path(parser) && v0_parse_disambiguated_name(parser, node));
}

/* The path of the module that an impl stands in; printers skip it. */
static bool parse_impl_path(struct v0_parser *parser, uint32_t node)
{
    unsigned deepest = parser->deepest;
    bool is_good = false;

    parser->deepest = parser->depth;
    is_good = v0_parse_path(parser);
    v0_at(parser, node)->height = (uint16_t)(parser->deepest - parser->depth);
    if (deepest > parser->deepest)
        parser->deepest = deepest;
    return is_good;
}

static bool parse_impl(struct v0_parser *parser, enum symbol_node_kind kind)
{
    uint64_t disambiguator = 0;
    uint32_t node = v0_open_node(parser, kind);
    bool is_good = true;

    if (!v0_optional_base62(&parser->scan, 's', &disambiguator))
        return v0_close_node(parser, node, v0_fail_before_children(parser, node));
    v0_at(parser, node)->value = disambiguator;
    is_good = parse_impl_path(parser, node) && v0_parse_type(parser) &&
              (kind == NODE_INHERENT_IMPL || v0_parse_path(parser));
    return v0_close_node(parser, node, is_good);
}

static bool parse_crate(struct v0_parser *parser)
{
    uint32_t node = v0_open_node(parser, NODE_CRATE);

    return v0_close_node(parser, node, v0_parse_disambiguated_name(parser, node));
}

static bool parse_trait_item(struct v0_parser *parser)
{
    uint32_t node = v0_open_node(parser, NODE_TRAIT_ITEM);

    return v0_close_node(parser, node, v0_parse_type(parser) && v0_parse_path(parser));
}

static bool parse_tagged_path(struct v0_parser *parser, char tag)
{
    switch (tag) {
    case 'C':
        return parse_crate(parser);
    case 'N':
        return parse_nested(parser);
    case 'M':
        return parse_impl(parser, NODE_INHERENT_IMPL);
    case 'X':
        return parse_impl(parser, NODE_TRAIT_IMPL);
    case 'Y':
        return parse_trait_item(parser);
    case 'I':
        return v0_parse_generic(parser);
    case 'B':
        return v0_parse_backref(parser, NODE_PATH_BACKREF);
    default:
        return v0_fail(parser, NODE_SYNTAX_ERROR, 1);
    }
}

bool v0_parse_path(struct v0_parser *parser)
{
    char tag = 0;

    if (!v0_enter(parser))
        return false;
    if (parser->scan.next == parser->scan.length)
        return v0_fail(parser, NODE_SYNTAX_ERROR, 1);
    tag = parser->scan.data[parser->scan.next++];
    if (parse_tagged_path(parser, tag)) {
        parser->depth--;
        return true;
    }
    return false;
}
