#include "rust/v0_parser.h"

bool v0_fail(struct v0_parser *parser, enum symbol_node_kind kind, unsigned levels)
{
    uint32_t node = symbol_node_add(parser->symbol, kind, parser->scan.next);

    parser->symbol->nodes[node].error_depth = (uint8_t)levels;
    return false;
}

bool v0_fail_syntax(struct v0_parser *parser)
{
    return v0_fail(parser, NODE_SYNTAX_ERROR, 0);
}

bool v0_enter(struct v0_parser *parser)
{
    parser->depth++;
    if (parser->depth > parser->deepest)
        parser->deepest = parser->depth;
    return parser->depth <= SYMBOL_DEPTH_MAX || v0_fail(parser, NODE_DEPTH_ERROR, 0);
}

uint32_t v0_open_node(struct v0_parser *parser, enum symbol_node_kind kind)
{
    uint32_t start = parser->scan.next - 1;
    uint32_t node = symbol_node_add(parser->symbol, kind, start);

    v0_at(parser, node)->tag = (uint8_t)parser->scan.data[start];
    return node;
}

bool v0_close_node(struct v0_parser *parser, uint32_t node, bool is_good)
{
    v0_at(parser, node)->end = parser->symbol->node_count;
    return is_good;
}

bool v0_fail_before_children(struct v0_parser *parser, uint32_t node)
{
    v0_at(parser, node)->flags |= NODE_BROKEN;
    return v0_fail_syntax(parser);
}

bool v0_parse_name(struct v0_parser *parser, uint32_t node)
{
    struct v0_name name = {0};

    if (!v0_identifier(&parser->scan, &name))
        return v0_fail_before_children(parser, node);
    v0_at(parser, node)->name_start = name.start;
    v0_at(parser, node)->name_length = name.length;
    if (name.is_punycode)
        v0_at(parser, node)->flags |= NODE_PUNYCODE;
    return true;
}

bool v0_parse_disambiguated_name(struct v0_parser *parser, uint32_t node)
{
    uint64_t disambiguator = 0;

    if (!v0_optional_base62(&parser->scan, 's', &disambiguator))
        return v0_fail_before_children(parser, node);
    v0_at(parser, node)->value = disambiguator;
    return v0_parse_name(parser, node);
}

bool v0_parse_list(struct v0_parser *parser, bool (*parse_item)(struct v0_parser *))
{
    while (!v0_eat(&parser->scan, 'E'))
        if (!parse_item(parser))
            return false;
    return true;
}
