/*
 * The nodes of a Rust name's tree, for the parsers that make it and the printers that
 * walk it. Nodes lie in the order of the text, a parent before its children: node 0 is
 * the root, the first child of node i is i + 1 when that is below nodes[i].end, and the
 * sibling that follows child c is nodes[c].end.
 *
 * Only what a back reference points to can be broken: the rest of a broken name is no
 * Rust name at all. Where parsing had to stop, an error node is the last child of every
 * node that was open then.
 */
#ifndef RUST_SYMBOL_NODE_H
#define RUST_SYMBOL_NODE_H

#include <stdbool.h>
#include <stdint.h>

#include "rust/symbol.h"

/* Paths, types, constants and back references that are nested deeper are refused. */
enum { SYMBOL_DEPTH_MAX = 500 };

enum symbol_node_kind {
    NODE_SYNTAX_ERROR,
    NODE_DEPTH_ERROR,
    NODE_ELEMENT, /* legacy: name is one escaped element; elements are siblings */

    /* Paths. */
    NODE_CRATE,         /* C: name, value is the disambiguator */
    NODE_NESTED,        /* N: tag is the namespace, value the disambiguator; child: path */
    NODE_INHERENT_IMPL, /* M: value is the disambiguator; children: the impl's path, type */
    NODE_TRAIT_IMPL,    /* X: likewise; children: the impl's path, type, trait path */
    NODE_TRAIT_ITEM,    /* Y: children: type, trait path */
    NODE_GENERIC,       /* I: children: path, then lifetimes, types and constants */
    NODE_PATH_BACKREF,  /* B: value is the node meant */

    /* Types. */
    NODE_BASIC,     /* tag is the type's letter */
    NODE_REFERENCE, /* R, Q (mut): value is the lifetime; child: type */
    NODE_POINTER,   /* P, O (mut): child: type */
    NODE_ARRAY,     /* A: children: type, constant */
    NODE_SLICE,     /* S: child: type */
    NODE_TUPLE,     /* T: children: types */
    NODE_FUNCTION,  /* F: value counts bound lifetimes, name is the ABI; children: types, the last returned */
    NODE_DYN,       /* D: value counts bound lifetimes; children: NODE_DYN_TRAIT…, NODE_LIFETIME */
    NODE_DYN_TRAIT, /* children: path, NODE_ASSOCIATED… */
    NODE_ASSOCIATED,   /* p: name; child: type or constant */
    NODE_PATTERN_TYPE, /* W: children: type, pattern */
    NODE_SPLAT,        /* w: child: type */
    NODE_TYPE_BACKREF,
    NODE_LIFETIME, /* L: value is the index, 0 for '_ */

    /* Constants. */
    NODE_CONST_PLACEHOLDER,
    NODE_CONST_INTEGER, /* tag is the type's letter, name the hex digits, NODE_NEGATIVE */
    NODE_CONST_BOOL,    /* value */
    NODE_CONST_CHAR,    /* value */
    NODE_CONST_STRING,  /* name: hex digits of valid UTF-8 */
    NODE_CONST_REFERENCE,
    NODE_CONST_ARRAY,
    NODE_CONST_TUPLE,
    NODE_CONST_ADT, /* V: tag is U, T or S; children: path, then constants or NODE_FIELD */
    NODE_CONST_BACKREF,
    NODE_FIELD, /* name; child: constant */

    /* Patterns. */
    NODE_PATTERN_RANGE, /* children: two constants */
    NODE_PATTERN_OR,    /* children: patterns */
    NODE_PATTERN_NOT_NULL,
};

enum symbol_node_flag {
    NODE_PUNYCODE = 1,       /* the name is punycode, with '_' between its parts */
    NODE_UNSAFE = 2,         /* functions */
    NODE_HAS_ABI = 4,        /* functions */
    NODE_NEGATIVE = 8,       /* integers */
    NODE_CLOSED = 16,        /* functions: all parameters are there, the last child is the type returned */
    NODE_BROKEN = 32,        /* what comes before the children is broken; the only child is the error */
    NODE_BROKEN_BINDER = 64, /* the count of bound lifetimes is */
};

struct symbol_node {
    uint8_t kind;
    uint8_t tag;
    uint8_t flags;
    uint8_t error_depth; /* error nodes: levels entered at once where they stand */
    uint16_t height;     /* impls: levels that the impl's own path takes */
    uint32_t start;      /* offset in symbol.mangled */
    uint32_t end;        /* the node after this one and all below it */
    union {
        uint32_t name_start;   /* offset in symbol.mangled */
        uint32_t next_backref; /* back references: the one that follows, 0 for none */
    };
    uint32_t name_length;
    uint64_t value;
};

/* The work behind symbol_node_add when there is no room. */
void symbol_node_grow(struct symbol *symbol);

/* Appends a node that starts at `start`; its index. Pointers to nodes are then stale. */
static inline uint32_t symbol_node_add(struct symbol *symbol, enum symbol_node_kind kind, uint32_t start)
{
    if (symbol->node_count == symbol->node_capacity)
        symbol_node_grow(symbol);
    symbol->nodes[symbol->node_count] =
        (struct symbol_node){.kind = (uint8_t)kind, .start = start, .end = symbol->node_count + 1};
    return symbol->node_count++;
}

/* The bytes of the node's name. */
struct slice symbol_node_name(const struct symbol *symbol, const struct symbol_node *node);

/* Whether the node is of a path's kind, a constant's kind. */
bool symbol_node_is_path(const struct symbol_node *node);
bool symbol_node_is_const(const struct symbol_node *node);

/*
 * The two parsers. `text` starts behind the mangling's prefix. On success symbol.mangled,
 * nodes and what belongs to the mangling are set and the number of bytes taken comes back;
 * 0 when `text` is not of the form. `text` is shorter than 2^31 and ASCII.
 */
size_t symbol_parse_v0(struct symbol *symbol, struct slice text);
size_t symbol_parse_legacy(struct symbol *symbol, struct slice text);

#endif
