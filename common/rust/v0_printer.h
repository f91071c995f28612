/*
 * The printer of v0 names, in parts: paths (demangle_v0.c), types, constants. Every
 * v0_print_* prints a node, or "?" after an error, or nothing once the output is full.
 *
 * A node below `is_broken` or a full output may be missing: v0_node is called for a
 * child after v0_is_unprintable said no, or where the parser's promises cover it.
 */
#ifndef RUST_V0_PRINTER_H
#define RUST_V0_PRINTER_H

#include <stdbool.h>
#include <stdint.h>

#include "rust/demangle.h"
#include "rust/demangle_output.h"
#include "rust/symbol_node.h"

struct v0_printer {
    struct demangle_output *output;
    const struct symbol *symbol;
    unsigned depth;           /* as of SYMBOL_DEPTH_MAX */
    unsigned visits;          /* nodes printed so far */
    uint64_t bound_lifetimes; /* by all the `for<…>` around */
    bool is_short;
    bool is_broken; /* an error was printed: until the end of the back reference all else is "?" */
};

#define V0_EMIT(printer, literal) DEMANGLE_EMIT((printer)->output, literal)

/* `is_value`: generic arguments have "::" before them; constants need no braces. */
void v0_print_path(struct v0_printer *printer, uint32_t node, bool is_value);
void v0_print_type(struct v0_printer *printer, uint32_t node);
void v0_print_const(struct v0_printer *printer, uint32_t node, bool is_value);

/* "<" and a generic path's arguments, without ">". */
void v0_print_arguments(struct v0_printer *printer, uint32_t generic);

void v0_print_name(struct v0_printer *printer, const struct symbol_node *node);
void v0_print_lifetime(struct v0_printer *printer, uint64_t index);

/* Appends a path, type or constant alone, in the short form. */
void v0_add_node(struct text *text, const struct symbol *symbol, uint32_t node);

/* A basic type as Rust writes it, from its letter. */
struct slice v0_basic_type_name(uint8_t tag);

/* The items from `item` up to `end` with `separator` between; how many there were. */
unsigned v0_print_list(struct v0_printer *printer, uint32_t item, uint32_t end, struct slice separator,
                       void (*print)(struct v0_printer *, uint32_t));

/* Prints what a back reference means; its result is handed on. */
typedef bool v0_print_target_fn(struct v0_printer *printer, uint32_t node, bool is_value);

bool v0_print_backref(struct v0_printer *printer, uint32_t node, v0_print_target_fn *print, bool is_value);

/* What every printer begins with: true when the node itself is not to be printed. */
bool v0_is_unprintable(struct v0_printer *printer, uint32_t node);

/* One level more; false and the error at SYMBOL_DEPTH_MAX. Leaving is `depth--`. */
bool v0_descend(struct v0_printer *printer);

void v0_break_syntax(struct v0_printer *printer);

/* Whether a leaf before the children is broken; the error is printed then. */
bool v0_is_broken_before_children(struct v0_printer *printer, uint32_t node);

static inline const struct symbol_node *v0_node(const struct v0_printer *printer, uint32_t node)
{
    return &printer->symbol->nodes[node];
}

static inline uint32_t v0_sibling(const struct v0_printer *printer, uint32_t node)
{
    return v0_node(printer, node)->end;
}

#endif
