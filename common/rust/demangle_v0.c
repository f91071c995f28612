#include "rust/v0_printer.h"

/*
 * What one print may visit. Each node prints something but back references and empty
 * names, of which hostile names make long chains; the limit on the text does not see them.
 */
enum { VISITS_MAX = 4000000 };

void v0_break_syntax(struct v0_printer *printer)
{
    V0_EMIT(printer, "{invalid syntax}");
    printer->is_broken = true;
}

static void break_depth(struct v0_printer *printer)
{
    V0_EMIT(printer, "{recursion limit reached}");
    printer->is_broken = true;
}

static void print_error(struct v0_printer *printer, uint32_t node)
{
    if (printer->depth + v0_node(printer, node)->error_depth > SYMBOL_DEPTH_MAX ||
        v0_node(printer, node)->kind == NODE_DEPTH_ERROR)
        break_depth(printer);
    else
        v0_break_syntax(printer);
}

bool v0_is_unprintable(struct v0_printer *printer, uint32_t node)
{
    if (++printer->visits > VISITS_MAX)
        printer->output->is_full = true;
    if (printer->output->is_full)
        return true;
    if (printer->is_broken)
        V0_EMIT(printer, "?");
    else if (v0_node(printer, node)->kind <= NODE_DEPTH_ERROR)
        print_error(printer, node);
    else
        return false;
    return true;
}

bool v0_descend(struct v0_printer *printer)
{
    if (++printer->depth <= SYMBOL_DEPTH_MAX)
        return true;
    break_depth(printer);
    return false;
}

bool v0_is_broken_before_children(struct v0_printer *printer, uint32_t node)
{
    if (v0_node(printer, node)->flags & NODE_BROKEN)
        v0_break_syntax(printer);
    return (v0_node(printer, node)->flags & NODE_BROKEN) != 0;
}

void v0_print_name(struct v0_printer *printer, const struct symbol_node *node)
{
    struct slice name = symbol_node_name(printer->symbol, node);

    if (node->flags & NODE_PUNYCODE)
        demangle_emit_punycode(printer->output, name);
    else
        demangle_emit(printer->output, name);
}

bool v0_print_backref(struct v0_printer *printer, uint32_t node, v0_print_target_fn *print, bool is_value)
{
    unsigned depth = printer->depth;
    bool result = false;

    if (v0_is_broken_before_children(printer, node) || !v0_descend(printer))
        return false;
    result = print(printer, (uint32_t)v0_node(printer, node)->value, is_value);
    printer->depth = depth;
    printer->is_broken = false;
    return result;
}

static bool print_path_target(struct v0_printer *printer, uint32_t node, bool is_value)
{
    v0_print_path(printer, node, is_value);
    return false;
}

void v0_print_lifetime(struct v0_printer *printer, uint64_t index)
{
    uint64_t depth = printer->bound_lifetimes - index;
    char letter = 0;

    V0_EMIT(printer, "'");
    if (index == 0) {
        V0_EMIT(printer, "_");
    } else if (index > printer->bound_lifetimes) {
        v0_break_syntax(printer);
    } else if (depth < 26) {
        letter = (char)('a' + depth);
        demangle_emit(printer->output, (struct slice){&letter, 1});
    } else {
        V0_EMIT(printer, "_");
        demangle_emit_decimal(printer->output, depth);
    }
}

unsigned v0_print_list(struct v0_printer *printer, uint32_t item, uint32_t end, struct slice separator,
                       void (*print)(struct v0_printer *, uint32_t))
{
    unsigned count = 0;

    for (; item < end && !printer->is_broken && !printer->output->is_full; item = v0_sibling(printer, item)) {
        if (count > 0)
            demangle_emit(printer->output, separator);
        print(printer, item);
        count++;
    }
    return count;
}

static void print_generic_argument(struct v0_printer *printer, uint32_t node)
{
    if (v0_node(printer, node)->kind == NODE_LIFETIME) {
        if (!v0_is_broken_before_children(printer, node))
            v0_print_lifetime(printer, v0_node(printer, node)->value);
    } else if (symbol_node_is_const(v0_node(printer, node))) {
        v0_print_const(printer, node, false);
    } else {
        v0_print_type(printer, node);
    }
}

void v0_print_arguments(struct v0_printer *printer, uint32_t generic)
{
    V0_EMIT(printer, "<");
    v0_print_list(printer, v0_sibling(printer, generic + 1), v0_node(printer, generic)->end, SLICE(", "),
                  print_generic_argument);
}

static void print_crate(struct v0_printer *printer, const struct symbol_node *node)
{
    v0_print_name(printer, node);
    if (printer->is_short || node->value == 0)
        return;
    V0_EMIT(printer, "[");
    demangle_emit_hex(printer->output, node->value);
    V0_EMIT(printer, "]");
}

/* "::{closure:name#0}" */
static void print_special(struct v0_printer *printer, const struct symbol_node *node)
{
    const char name_space = (char)node->tag;

    V0_EMIT(printer, "::{");
    if (name_space == 'C')
        V0_EMIT(printer, "closure");
    else if (name_space == 'S')
        V0_EMIT(printer, "shim");
    else
        demangle_emit(printer->output, (struct slice){&name_space, 1});
    if (node->name_length > 0) {
        V0_EMIT(printer, ":");
        v0_print_name(printer, node);
    }
    V0_EMIT(printer, "#");
    demangle_emit_decimal(printer->output, node->value);
    V0_EMIT(printer, "}");
}

static void print_nested(struct v0_printer *printer, uint32_t node, bool is_value)
{
    v0_print_path(printer, node + 1, is_value);
    if (printer->is_broken) {
        V0_EMIT(printer, "::");
        V0_EMIT(printer, "?");
        return;
    }
    if (v0_is_broken_before_children(printer, node))
        return;
    if (v0_node(printer, node)->tag <= 'Z') {
        print_special(printer, v0_node(printer, node));
    } else if (v0_node(printer, node)->name_length > 0) {
        V0_EMIT(printer, "::");
        v0_print_name(printer, v0_node(printer, node));
    }
}

/* Nothing of an impl's own path is printed, but it may be too deep or broken. */
static void skip_impl_path(struct v0_printer *printer, uint32_t node)
{
    uint32_t last = v0_node(printer, node + 1)->end - 1;

    if (printer->depth + v0_node(printer, node)->height > SYMBOL_DEPTH_MAX ||
        v0_node(printer, last)->kind <= NODE_DEPTH_ERROR)
        printer->is_broken = true;
}

/* "<type as trait>"; `type` is its first node, the trait follows when there is one. */
static void print_qualified(struct v0_printer *printer, uint32_t type, uint32_t has_trait)
{
    V0_EMIT(printer, "<");
    v0_print_type(printer, type);
    if (has_trait) {
        V0_EMIT(printer, " as ");
        v0_print_path(printer, printer->is_broken ? type : v0_sibling(printer, type), false);
    }
    V0_EMIT(printer, ">");
}

static void print_impl(struct v0_printer *printer, uint32_t node)
{
    if (v0_is_broken_before_children(printer, node))
        return;
    skip_impl_path(printer, node);
    print_qualified(printer, printer->is_broken ? node : v0_sibling(printer, node + 1),
                    v0_node(printer, node)->kind == NODE_TRAIT_IMPL);
}

static void print_generic(struct v0_printer *printer, uint32_t node, bool is_value)
{
    v0_print_path(printer, node + 1, is_value);
    if (is_value)
        V0_EMIT(printer, "::");
    v0_print_arguments(printer, node);
    V0_EMIT(printer, ">");
}

void v0_print_path(struct v0_printer *printer, uint32_t node, bool is_value)
{
    if (v0_is_unprintable(printer, node) || !v0_descend(printer))
        return;
    switch (v0_node(printer, node)->kind) {
    case NODE_CRATE:
        if (!v0_is_broken_before_children(printer, node))
            print_crate(printer, v0_node(printer, node));
        break;
    case NODE_NESTED:
        print_nested(printer, node, is_value);
        break;
    case NODE_INHERENT_IMPL:
    case NODE_TRAIT_IMPL:
        print_impl(printer, node);
        break;
    case NODE_TRAIT_ITEM:
        print_qualified(printer, node + 1, true);
        break;
    case NODE_GENERIC:
        print_generic(printer, node, is_value);
        break;
    default:
        v0_print_backref(printer, node, print_path_target, is_value);
        break;
    }
    printer->depth--;
}

void demangle_v0(struct demangle_output *output, const struct symbol *symbol, bool is_short)
{
    struct v0_printer printer = {.output = output, .symbol = symbol, .is_short = is_short};

    v0_print_path(&printer, 0, true);
}

void v0_add_node(struct text *text, const struct symbol *symbol, uint32_t node)
{
    struct demangle_output output = {.text = text, .remaining = DEMANGLE_LENGTH_MAX};
    struct v0_printer printer = {.output = &output, .symbol = symbol, .is_short = true};

    if (symbol_node_is_path(&symbol->nodes[node]))
        v0_print_path(&printer, node, false);
    else if (symbol_node_is_const(&symbol->nodes[node]))
        v0_print_const(&printer, node, false);
    else
        v0_print_type(&printer, node);
    if (output.is_full)
        text_add(text, SLICE("{size limit reached}"));
}
