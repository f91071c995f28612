#include "rust/v0_printer.h"

/* "for<'a, 'b> "; what it binds stays bound until the caller takes it back. */
static bool print_binder(struct v0_printer *printer, uint32_t node)
{
    uint64_t count = v0_node(printer, node)->value;

    if (v0_node(printer, node)->flags & NODE_BROKEN_BINDER) {
        v0_break_syntax(printer);
        return false;
    }
    if (count == 0)
        return true;
    V0_EMIT(printer, "for<");
    for (uint64_t i = 0; i < count && !printer->output->is_full; i++) {
        if (i > 0)
            V0_EMIT(printer, ", ");
        printer->bound_lifetimes++;
        v0_print_lifetime(printer, 1);
    }
    V0_EMIT(printer, "> ");
    return true;
}

static bool print_target(struct v0_printer *printer, uint32_t node, bool is_value)
{
    (void)is_value;
    v0_print_type(printer, node);
    return false;
}

struct slice v0_basic_type_name(uint8_t tag)
{
    static const char *const NAMES[26] = {
        ['a' - 'a'] = "i8",    ['b' - 'a'] = "bool", ['c' - 'a'] = "char", ['d' - 'a'] = "f64",
        ['e' - 'a'] = "str",   ['f' - 'a'] = "f32",  ['h' - 'a'] = "u8",   ['i' - 'a'] = "isize",
        ['j' - 'a'] = "usize", ['l' - 'a'] = "i32",  ['m' - 'a'] = "u32",  ['n' - 'a'] = "i128",
        ['o' - 'a'] = "u128",  ['p' - 'a'] = "_",    ['s' - 'a'] = "i16",  ['t' - 'a'] = "u16",
        ['u' - 'a'] = "()",    ['v' - 'a'] = "...",  ['x' - 'a'] = "i64",  ['y' - 'a'] = "u64",
        ['z' - 'a'] = "!",
    };

    return slice_of(NAMES[tag - 'a']);
}

static void print_reference(struct v0_printer *printer, uint32_t node)
{
    V0_EMIT(printer, "&");
    if (v0_is_broken_before_children(printer, node))
        return;
    if (v0_node(printer, node)->value != 0) {
        v0_print_lifetime(printer, v0_node(printer, node)->value);
        V0_EMIT(printer, " ");
    }
    if (v0_node(printer, node)->tag == 'Q')
        V0_EMIT(printer, "mut ");
    v0_print_type(printer, node + 1);
}

static void print_pointer(struct v0_printer *printer, uint32_t node)
{
    V0_EMIT(printer, "*");
    if (v0_node(printer, node)->tag == 'O')
        V0_EMIT(printer, "mut ");
    else
        V0_EMIT(printer, "const ");
    v0_print_type(printer, node + 1);
}

static void print_array(struct v0_printer *printer, uint32_t node)
{
    V0_EMIT(printer, "[");
    v0_print_type(printer, node + 1);
    if (v0_node(printer, node)->kind == NODE_ARRAY) {
        V0_EMIT(printer, "; ");
        v0_print_const(printer, printer->is_broken ? node : v0_sibling(printer, node + 1), true);
    }
    V0_EMIT(printer, "]");
}

static void print_tuple(struct v0_printer *printer, uint32_t node)
{
    V0_EMIT(printer, "(");
    if (v0_print_list(printer, node + 1, v0_node(printer, node)->end, SLICE(", "), v0_print_type) == 1)
        V0_EMIT(printer, ",");
    V0_EMIT(printer, ")");
}

/* `extern "C-unwind" `: the name has '_' for '-'. */
static void print_abi(struct v0_printer *printer, const struct symbol_node *node)
{
    struct slice name = symbol_node_name(printer->symbol, node);
    size_t end = slice_find_byte(name, '_');

    V0_EMIT(printer, "extern \"");
    demangle_emit(printer->output, slice_range(name, 0, end));
    while (end < name.length) {
        V0_EMIT(printer, "-");
        name = slice_range(name, end + 1, name.length);
        end = slice_find_byte(name, '_');
        demangle_emit(printer->output, slice_range(name, 0, end));
    }
    V0_EMIT(printer, "\" ");
}

/* The last child of a function whose parameters are all there, or its end. */
static uint32_t return_type(const struct v0_printer *printer, uint32_t node)
{
    uint32_t end = v0_node(printer, node)->end;
    uint32_t child = node + 1;

    if (!(v0_node(printer, node)->flags & NODE_CLOSED))
        return end;
    while (v0_sibling(printer, child) < end)
        child = v0_sibling(printer, child);
    return child;
}

static void print_signature(struct v0_printer *printer, uint32_t node)
{
    uint32_t result = return_type(printer, node);

    if (v0_is_broken_before_children(printer, node))
        return;
    if (v0_node(printer, node)->flags & NODE_UNSAFE)
        V0_EMIT(printer, "unsafe ");
    if (v0_node(printer, node)->flags & NODE_HAS_ABI)
        print_abi(printer, v0_node(printer, node));
    V0_EMIT(printer, "fn(");
    v0_print_list(printer, node + 1, result, SLICE(", "), v0_print_type);
    V0_EMIT(printer, ")");
    if (!printer->is_broken && !printer->output->is_full && v0_node(printer, result)->kind == NODE_BASIC &&
        v0_node(printer, result)->tag == 'u')
        return;
    V0_EMIT(printer, " -> ");
    v0_print_type(printer, result);
}

static void print_function(struct v0_printer *printer, uint32_t node)
{
    uint64_t bound = printer->bound_lifetimes;

    if (print_binder(printer, node))
        print_signature(printer, node);
    printer->bound_lifetimes = bound;
}

/*
 * A trait's path whose "<…" stays open for associated types: whether it does. Through any
 * number of back references.
 */
static bool print_open_path(struct v0_printer *printer, uint32_t node, bool is_value)
{
    (void)is_value;
    if (printer->output->is_full || printer->is_broken) {
        v0_print_path(printer, node, false);
        return false;
    }
    if (v0_node(printer, node)->kind == NODE_PATH_BACKREF)
        return v0_print_backref(printer, node, print_open_path, false);
    if (v0_node(printer, node)->kind != NODE_GENERIC) {
        v0_print_path(printer, node, false);
        return false;
    }
    v0_print_path(printer, node + 1, false);
    v0_print_arguments(printer, node);
    return true;
}

static void print_associated(struct v0_printer *printer, uint32_t node)
{
    if (v0_is_broken_before_children(printer, node))
        return;
    v0_print_name(printer, v0_node(printer, node));
    V0_EMIT(printer, " = ");
    if (symbol_node_is_const(v0_node(printer, node + 1)))
        v0_print_const(printer, node + 1, false);
    else
        v0_print_type(printer, node + 1);
}

static void print_dyn_trait(struct v0_printer *printer, uint32_t node)
{
    bool is_open = print_open_path(printer, node + 1, false);
    uint32_t child = v0_sibling(printer, node + 1);

    for (; child < v0_node(printer, node)->end && !printer->is_broken && !printer->output->is_full;
         child = v0_sibling(printer, child)) {
        demangle_emit(printer->output, is_open ? SLICE(", ") : SLICE("<"));
        is_open = true;
        print_associated(printer, child);
        if (v0_node(printer, child)->flags & NODE_BROKEN)
            return;
    }
    if (is_open)
        V0_EMIT(printer, ">");
}

/* The last child, which is a lifetime or the error that stands for it. */
static void print_dyn_lifetime(struct v0_printer *printer, uint32_t node)
{
    uint32_t child = node + 1;

    while (child < v0_node(printer, node)->end && v0_node(printer, child)->kind == NODE_DYN_TRAIT)
        child = v0_sibling(printer, child);
    if (printer->is_broken || v0_node(printer, child)->kind != NODE_LIFETIME ||
        (v0_node(printer, child)->flags & NODE_BROKEN)) {
        v0_break_syntax(printer);
    } else if (v0_node(printer, child)->value != 0) {
        V0_EMIT(printer, " + ");
        v0_print_lifetime(printer, v0_node(printer, child)->value);
    }
}

static void print_dyn(struct v0_printer *printer, uint32_t node)
{
    uint64_t bound = printer->bound_lifetimes;
    uint32_t end = node + 1;

    V0_EMIT(printer, "dyn ");
    while (end < v0_node(printer, node)->end && v0_node(printer, end)->kind == NODE_DYN_TRAIT)
        end = v0_sibling(printer, end);
    if (print_binder(printer, node))
        v0_print_list(printer, node + 1, end, SLICE(" + "), print_dyn_trait);
    printer->bound_lifetimes = bound;
    if (!printer->output->is_full)
        print_dyn_lifetime(printer, node);
}

static void print_pattern(struct v0_printer *printer, uint32_t node);

static void print_alternatives(struct v0_printer *printer, uint32_t node)
{
    if (!v0_descend(printer))
        return;
    for (uint32_t child = node + 1; child < v0_node(printer, node)->end && !printer->output->is_full;
         child = v0_sibling(printer, child)) {
        if (child > node + 1)
            V0_EMIT(printer, " | ");
        print_pattern(printer, child);
        if (printer->is_broken) {
            v0_break_syntax(printer);
            return;
        }
    }
    printer->depth--;
}

static void print_pattern(struct v0_printer *printer, uint32_t node)
{
    if (v0_is_unprintable(printer, node))
        return;
    if (v0_node(printer, node)->kind == NODE_PATTERN_OR) {
        print_alternatives(printer, node);
    } else if (v0_node(printer, node)->kind == NODE_PATTERN_NOT_NULL) {
        V0_EMIT(printer, "!null");
    } else {
        v0_print_const(printer, node + 1, false);
        V0_EMIT(printer, "..=");
        v0_print_const(printer, printer->is_broken ? node : v0_sibling(printer, node + 1), false);
    }
}

static void print_pattern_type(struct v0_printer *printer, uint32_t node)
{
    v0_print_type(printer, node + 1);
    V0_EMIT(printer, " is ");
    print_pattern(printer, printer->is_broken ? node : v0_sibling(printer, node + 1));
}

static void print_compound_type(struct v0_printer *printer, uint32_t node)
{
    switch (v0_node(printer, node)->kind) {
    case NODE_REFERENCE:
        print_reference(printer, node);
        break;
    case NODE_POINTER:
        print_pointer(printer, node);
        break;
    case NODE_ARRAY:
    case NODE_SLICE:
        print_array(printer, node);
        break;
    case NODE_TUPLE:
        print_tuple(printer, node);
        break;
    case NODE_FUNCTION:
        print_function(printer, node);
        break;
    case NODE_DYN:
        print_dyn(printer, node);
        break;
    case NODE_PATTERN_TYPE:
        print_pattern_type(printer, node);
        break;
    case NODE_TYPE_BACKREF:
        v0_print_backref(printer, node, print_target, false);
        break;
    default:
        v0_print_path(printer, node, false);
        break;
    }
}

void v0_print_type(struct v0_printer *printer, uint32_t node)
{
    if (v0_is_unprintable(printer, node))
        return;
    if (v0_node(printer, node)->kind == NODE_SPLAT) {
        V0_EMIT(printer, "#[splat] ");
        node++;
        if (v0_is_unprintable(printer, node))
            return;
    }
    if (v0_node(printer, node)->kind == NODE_BASIC) {
        demangle_emit(printer->output, v0_basic_type_name(v0_node(printer, node)->tag));
    } else if (v0_descend(printer)) {
        print_compound_type(printer, node);
        printer->depth--;
    }
}
