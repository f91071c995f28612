#include "rust/v0_printer.h"
#include "rust/v0_scan.h"

static bool print_target(struct v0_printer *printer, uint32_t node, bool is_value)
{
    v0_print_const(printer, node, is_value);
    return false;
}

static void print_integer(struct v0_printer *printer, const struct symbol_node *node)
{
    struct slice digits = symbol_node_name(printer->symbol, node);
    uint64_t value = 0;

    if (node->flags & NODE_NEGATIVE)
        V0_EMIT(printer, "-");
    if (node->flags & NODE_BROKEN) {
        v0_break_syntax(printer);
        return;
    }
    if (v0_hex_value(digits, &value)) {
        demangle_emit_decimal(printer->output, value);
    } else {
        V0_EMIT(printer, "0x");
        demangle_emit(printer->output, digits);
    }
    if (!printer->is_short)
        demangle_emit(printer->output, v0_basic_type_name(node->tag));
}

static void print_string(struct v0_printer *printer, uint32_t node)
{
    struct slice digits = symbol_node_name(printer->symbol, v0_node(printer, node));
    uint32_t character = 0;

    if (v0_is_broken_before_children(printer, node))
        return;
    V0_EMIT(printer, "\"");
    while (!printer->output->is_full && v0_hex_character(&digits, &character))
        demangle_emit_escaped(printer->output, character, '"');
    V0_EMIT(printer, "\"");
}

static void print_character(struct v0_printer *printer, const struct symbol_node *node)
{
    V0_EMIT(printer, "'");
    demangle_emit_escaped(printer->output, (uint32_t)node->value, '\'');
    V0_EMIT(printer, "'");
}

static void print_value(struct v0_printer *printer, uint32_t node)
{
    v0_print_const(printer, node, true);
}

static void print_field(struct v0_printer *printer, uint32_t node)
{
    if (v0_is_broken_before_children(printer, node))
        return;
    v0_print_name(printer, v0_node(printer, node));
    V0_EMIT(printer, ": ");
    v0_print_const(printer, node + 1, true);
}

/* Whether it got to its end, so that a brace around it is closed. */
static bool print_adt(struct v0_printer *printer, uint32_t node)
{
    uint32_t end = v0_node(printer, node)->end;
    uint32_t first = v0_sibling(printer, node + 1);

    v0_print_path(printer, node + 1, true);
    if (printer->is_broken) {
        V0_EMIT(printer, "?");
        return false;
    }
    switch (v0_node(printer, node)->tag) {
    case 'U':
        return true;
    case 'T':
        V0_EMIT(printer, "(");
        v0_print_list(printer, first, end, SLICE(", "), print_value);
        V0_EMIT(printer, ")");
        return true;
    case 'S':
        V0_EMIT(printer, " { ");
        v0_print_list(printer, first, end, SLICE(", "), print_field);
        V0_EMIT(printer, " }");
        return true;
    default:
        v0_break_syntax(printer);
        return false;
    }
}

static void print_const_tuple(struct v0_printer *printer, uint32_t node)
{
    V0_EMIT(printer, "(");
    if (v0_print_list(printer, node + 1, v0_node(printer, node)->end, SLICE(", "), print_value) == 1)
        V0_EMIT(printer, ",");
    V0_EMIT(printer, ")");
}

static void print_const_array(struct v0_printer *printer, uint32_t node)
{
    V0_EMIT(printer, "[");
    v0_print_list(printer, node + 1, v0_node(printer, node)->end, SLICE(", "), print_value);
    V0_EMIT(printer, "]");
}

static void print_const_reference(struct v0_printer *printer, uint32_t node)
{
    V0_EMIT(printer, "&");
    if (v0_node(printer, node)->tag == 'Q')
        V0_EMIT(printer, "mut ");
    v0_print_const(printer, node + 1, true);
}

/* What needs braces where an argument stands. */
static bool print_expression(struct v0_printer *printer, uint32_t node)
{
    switch (v0_node(printer, node)->kind) {
    case NODE_CONST_STRING:
        V0_EMIT(printer, "*");
        print_string(printer, node);
        return true;
    case NODE_CONST_REFERENCE:
        print_const_reference(printer, node);
        return true;
    case NODE_CONST_ARRAY:
        print_const_array(printer, node);
        return true;
    case NODE_CONST_TUPLE:
        print_const_tuple(printer, node);
        return true;
    default:
        return print_adt(printer, node);
    }
}

/* Takes what needs no braces: whether it did. */
static bool print_literal(struct v0_printer *printer, uint32_t node, bool is_value)
{
    const struct symbol_node *literal = v0_node(printer, node);

    switch (literal->kind) {
    case NODE_CONST_PLACEHOLDER:
        V0_EMIT(printer, "_");
        return true;
    case NODE_CONST_INTEGER:
        print_integer(printer, literal);
        return true;
    case NODE_CONST_BOOL:
        if (!v0_is_broken_before_children(printer, node))
            demangle_emit(printer->output, literal->value ? SLICE("true") : SLICE("false"));
        return true;
    case NODE_CONST_CHAR:
        if (!v0_is_broken_before_children(printer, node))
            print_character(printer, literal);
        return true;
    case NODE_CONST_BACKREF:
        v0_print_backref(printer, node, print_target, is_value);
        return true;
    case NODE_CONST_REFERENCE:
        if (literal->tag != 'R' || v0_node(printer, node + 1)->start != literal->start + 1 ||
            v0_node(printer, node + 1)->kind != NODE_CONST_STRING)
            return false;
        print_string(printer, node + 1);
        return true;
    default:
        return false;
    }
}

void v0_print_const(struct v0_printer *printer, uint32_t node, bool is_value)
{
    if (v0_is_unprintable(printer, node) || !v0_descend(printer))
        return;
    if (!print_literal(printer, node, is_value)) {
        if (!is_value)
            V0_EMIT(printer, "{");
        if (print_expression(printer, node) && !is_value)
            V0_EMIT(printer, "}");
    }
    printer->depth--;
}
