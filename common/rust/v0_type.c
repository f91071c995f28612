#include "rust/v0_parser.h"

/* Whether `tag` is a type of one letter (RFC 2603, basic-type). */
static bool is_basic_type(char tag)
{
    return tag >= 'a' && tag <= 'z' && tag != 'g' && tag != 'k' && tag != 'q' && tag != 'r' && tag != 'w';
}

static bool parse_reference(struct v0_parser *parser)
{
    uint32_t node = v0_open_node(parser, NODE_REFERENCE);
    uint64_t lifetime = 0;

    if (v0_eat(&parser->scan, 'L') && !v0_base62(&parser->scan, &lifetime))
        return v0_close_node(parser, node, v0_fail_before_children(parser, node));
    v0_at(parser, node)->value = lifetime;
    return v0_close_node(parser, node, v0_parse_type(parser));
}

static bool parse_around_type(struct v0_parser *parser, enum symbol_node_kind kind)
{
    uint32_t node = v0_open_node(parser, kind);

    return v0_close_node(parser, node, v0_parse_type(parser));
}

static bool parse_array(struct v0_parser *parser)
{
    uint32_t node = v0_open_node(parser, NODE_ARRAY);

    return v0_close_node(parser, node, v0_parse_type(parser) && v0_parse_const(parser));
}

static bool parse_tuple(struct v0_parser *parser)
{
    uint32_t node = v0_open_node(parser, NODE_TUPLE);

    return v0_close_node(parser, node, v0_parse_list(parser, v0_parse_type));
}

static bool parse_binder(struct v0_parser *parser, uint32_t node)
{
    uint64_t count = 0;

    if (!v0_optional_base62(&parser->scan, 'G', &count)) {
        v0_at(parser, node)->flags |= NODE_BROKEN_BINDER;
        return v0_fail_syntax(parser);
    }
    v0_at(parser, node)->value = count;
    return true;
}

/* "K" and the ABI: "C", or an identifier without punycode that is not empty. */
static bool parse_abi(struct v0_parser *parser, uint32_t node)
{
    if (v0_eat(&parser->scan, 'U'))
        v0_at(parser, node)->flags |= NODE_UNSAFE;
    if (!v0_eat(&parser->scan, 'K'))
        return true;
    v0_at(parser, node)->flags |= NODE_HAS_ABI;
    if (v0_eat(&parser->scan, 'C')) {
        v0_at(parser, node)->name_start = parser->scan.next - 1;
        v0_at(parser, node)->name_length = 1;
        return true;
    }
    if (!v0_parse_name(parser, node))
        return false;
    if (v0_at(parser, node)->name_length == 0 || (v0_at(parser, node)->flags & NODE_PUNYCODE))
        return v0_fail_before_children(parser, node);
    return true;
}

static bool parse_function(struct v0_parser *parser)
{
    uint32_t node = v0_open_node(parser, NODE_FUNCTION);

    if (!parse_binder(parser, node) || !parse_abi(parser, node) || !v0_parse_list(parser, v0_parse_type))
        return v0_close_node(parser, node, false);
    v0_at(parser, node)->flags |= NODE_CLOSED;
    return v0_close_node(parser, node, v0_parse_type(parser));
}

static bool parse_associated(struct v0_parser *parser)
{
    uint32_t node = v0_open_node(parser, NODE_ASSOCIATED);

    if (!v0_parse_name(parser, node))
        return v0_close_node(parser, node, false);
    return v0_close_node(parser, node,
                         v0_eat(&parser->scan, 'K') ? v0_parse_const(parser) : v0_parse_type(parser));
}

/* A trait's own arguments and its associated types print in one list, so its path enters no level. */
static bool parse_dyn_trait_path(struct v0_parser *parser)
{
    if (v0_eat(&parser->scan, 'B'))
        return v0_parse_backref(parser, NODE_PATH_BACKREF);
    if (v0_eat(&parser->scan, 'I'))
        return v0_parse_generic(parser);
    return v0_parse_path(parser);
}

static bool parse_dyn_trait(struct v0_parser *parser)
{
    uint32_t node = symbol_node_add(parser->symbol, NODE_DYN_TRAIT, parser->scan.next);
    bool is_good = parse_dyn_trait_path(parser);

    while (is_good && v0_eat(&parser->scan, 'p'))
        is_good = parse_associated(parser);
    return v0_close_node(parser, node, is_good);
}

static bool parse_dyn(struct v0_parser *parser)
{
    uint32_t node = v0_open_node(parser, NODE_DYN);
    bool is_good = parse_binder(parser, node) && v0_parse_list(parser, parse_dyn_trait);

    if (is_good)
        is_good = v0_eat(&parser->scan, 'L') ? v0_parse_lifetime(parser) : v0_fail_syntax(parser);
    return v0_close_node(parser, node, is_good);
}

static bool parse_pattern(struct v0_parser *parser);

static bool parse_alternatives(struct v0_parser *parser)
{
    uint32_t node = v0_open_node(parser, NODE_PATTERN_OR);
    bool is_good = v0_enter(parser) && parse_pattern(parser) && v0_parse_list(parser, parse_pattern);

    parser->depth--;
    return v0_close_node(parser, node, is_good);
}

static bool parse_range(struct v0_parser *parser)
{
    uint32_t node = v0_open_node(parser, NODE_PATTERN_RANGE);
    bool has_first = v0_parse_const(parser);

    return v0_close_node(parser, node, has_first && v0_parse_const(parser));
}

static bool parse_pattern(struct v0_parser *parser)
{
    if (v0_eat(&parser->scan, 'R'))
        return parse_range(parser);
    if (v0_eat(&parser->scan, 'O'))
        return parse_alternatives(parser);
    if (!v0_eat(&parser->scan, 'N'))
        return v0_fail_syntax(parser);
    v0_open_node(parser, NODE_PATTERN_NOT_NULL);
    return true;
}

static bool parse_pattern_type(struct v0_parser *parser)
{
    uint32_t node = v0_open_node(parser, NODE_PATTERN_TYPE);

    return v0_close_node(parser, node, v0_parse_type(parser) && parse_pattern(parser));
}

static bool parse_path_as_type(struct v0_parser *parser)
{
    uint32_t node = parser->symbol->node_count;

    parser->scan.next--;
    if (v0_parse_path(parser))
        return true;
    if (v0_at(parser, node)->kind == NODE_SYNTAX_ERROR)
        v0_at(parser, node)->error_depth++;
    return false;
}

static bool parse_tagged_type(struct v0_parser *parser, char tag)
{
    switch (tag) {
    case 'R':
    case 'Q':
        return parse_reference(parser);
    case 'P':
    case 'O':
        return parse_around_type(parser, NODE_POINTER);
    case 'A':
        return parse_array(parser);
    case 'S':
        return parse_around_type(parser, NODE_SLICE);
    case 'T':
        return parse_tuple(parser);
    case 'F':
        return parse_function(parser);
    case 'D':
        return parse_dyn(parser);
    case 'B':
        return v0_parse_backref(parser, NODE_TYPE_BACKREF);
    case 'W':
        return parse_pattern_type(parser);
    default:
        return parse_path_as_type(parser);
    }
}

static bool parse_plain_type(struct v0_parser *parser)
{
    char tag = v0_peek(&parser->scan);

    if (parser->scan.next == parser->scan.length)
        return v0_fail_syntax(parser);
    parser->scan.next++;
    if (is_basic_type(tag)) {
        v0_open_node(parser, NODE_BASIC);
        return true;
    }
    if (!v0_enter(parser) || !parse_tagged_type(parser, tag))
        return false;
    parser->depth--;
    return true;
}

bool v0_parse_type(struct v0_parser *parser)
{
    uint32_t node = 0;

    if (!v0_eat(&parser->scan, 'w'))
        return parse_plain_type(parser);
    node = v0_open_node(parser, NODE_SPLAT);
    return v0_close_node(parser, node, parse_plain_type(parser));
}
