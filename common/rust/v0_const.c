#include "rust/v0_parser.h"

static bool parse_hex(struct v0_parser *parser, uint32_t node)
{
    struct v0_name digits = {0};

    if (!v0_hex(&parser->scan, &digits))
        return v0_fail_before_children(parser, node);
    v0_at(parser, node)->name_start = digits.start;
    v0_at(parser, node)->name_length = digits.length;
    return true;
}

static bool parse_integer(struct v0_parser *parser, bool is_signed)
{
    uint32_t node = v0_open_node(parser, NODE_CONST_INTEGER);

    if (is_signed && v0_eat(&parser->scan, 'n'))
        v0_at(parser, node)->flags |= NODE_NEGATIVE;
    return v0_close_node(parser, node, parse_hex(parser, node));
}

static bool is_character(uint64_t value)
{
    return value < 0xd800 || (value >= 0xe000 && value <= 0x10ffff);
}

static bool parse_bool_or_char(struct v0_parser *parser, enum symbol_node_kind kind)
{
    uint32_t node = v0_open_node(parser, kind);
    uint64_t value = 0;

    if (!parse_hex(parser, node))
        return v0_close_node(parser, node, false);
    if (!v0_hex_value(symbol_node_name(parser->symbol, v0_at(parser, node)), &value) ||
        !(kind == NODE_CONST_BOOL ? value <= 1 : is_character(value)))
        return v0_close_node(parser, node, v0_fail_before_children(parser, node));
    v0_at(parser, node)->value = value;
    return true;
}

static bool parse_string(struct v0_parser *parser)
{
    uint32_t node = v0_open_node(parser, NODE_CONST_STRING);
    struct slice digits = {0};
    uint32_t character = 0;

    if (!parse_hex(parser, node))
        return v0_close_node(parser, node, false);
    digits = symbol_node_name(parser->symbol, v0_at(parser, node));
    while (v0_hex_character(&digits, &character))
        ;
    return digits.length == 0 || v0_close_node(parser, node, v0_fail_before_children(parser, node));
}

static bool parse_const_reference(struct v0_parser *parser)
{
    uint32_t node = v0_open_node(parser, NODE_CONST_REFERENCE);

    /* A reference to a string prints as the string alone, which enters no level. */
    if (v0_at(parser, node)->tag == 'R' && v0_eat(&parser->scan, 'e'))
        return v0_close_node(parser, node, parse_string(parser));
    return v0_close_node(parser, node, v0_parse_const(parser));
}

static bool parse_const_list(struct v0_parser *parser, enum symbol_node_kind kind)
{
    uint32_t node = v0_open_node(parser, kind);

    return v0_close_node(parser, node, v0_parse_list(parser, v0_parse_const));
}

static bool parse_field(struct v0_parser *parser)
{
    uint32_t node = symbol_node_add(parser->symbol, NODE_FIELD, parser->scan.next);

    return v0_close_node(parser, node, v0_parse_disambiguated_name(parser, node) && v0_parse_const(parser));
}

static bool parse_adt(struct v0_parser *parser)
{
    uint32_t node = v0_open_node(parser, NODE_CONST_ADT);
    char form = 0;

    v0_at(parser, node)->tag = 0;
    if (!v0_parse_path(parser))
        return v0_close_node(parser, node, false);
    form = v0_peek(&parser->scan);
    if (form != 'U' && form != 'T' && form != 'S')
        return v0_close_node(parser, node, v0_fail_syntax(parser));
    parser->scan.next++;
    v0_at(parser, node)->tag = (uint8_t)form;
    return v0_close_node(parser, node,
                         form == 'U' || v0_parse_list(parser, form == 'T' ? v0_parse_const : parse_field));
}

static bool parse_tagged_const(struct v0_parser *parser, char tag)
{
    switch (tag) {
    case 'p':
        v0_open_node(parser, NODE_CONST_PLACEHOLDER);
        return true;
    case 'b':
        return parse_bool_or_char(parser, NODE_CONST_BOOL);
    case 'c':
        return parse_bool_or_char(parser, NODE_CONST_CHAR);
    case 'e':
        return parse_string(parser);
    case 'R':
    case 'Q':
        return parse_const_reference(parser);
    case 'A':
        return parse_const_list(parser, NODE_CONST_ARRAY);
    case 'T':
        return parse_const_list(parser, NODE_CONST_TUPLE);
    case 'V':
        return parse_adt(parser);
    case 'B':
        return v0_parse_backref(parser, NODE_CONST_BACKREF);
    default:
        return v0_fail(parser, NODE_SYNTAX_ERROR, 1);
    }
}

bool v0_parse_const(struct v0_parser *parser)
{
    char tag = v0_peek(&parser->scan);
    bool is_signed = tag == 'a' || tag == 's' || tag == 'l' || tag == 'x' || tag == 'n' || tag == 'i';
    bool is_unsigned = tag == 'h' || tag == 't' || tag == 'm' || tag == 'y' || tag == 'o' || tag == 'j';

    if (parser->scan.next == parser->scan.length)
        return v0_fail_syntax(parser);
    parser->scan.next++;
    if (!v0_enter(parser))
        return false;
    if (!(is_signed || is_unsigned ? parse_integer(parser, is_signed) : parse_tagged_const(parser, tag)))
        return false;
    parser->depth--;
    return true;
}
