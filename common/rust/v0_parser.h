/*
 * A recursive descent over the v0 grammar (RFC 2603), in parts: paths, types, constants.
 * Every v0_parse_* appends nodes and says true, or leaves an error node as the last one
 * and says false; nobody appends after that.
 */
#ifndef RUST_V0_PARSER_H
#define RUST_V0_PARSER_H

#include <stdbool.h>
#include <stdint.h>

#include "rust/symbol_node.h"
#include "rust/v0_scan.h"

struct v0_parser {
    struct v0_scan scan;
    struct symbol *symbol;
    /*
     * Levels entered, as rustc-demangle counts them: one for each path, constant, type
     * that is no single letter, and back reference; a path that stands as a type counts twice.
     */
    unsigned depth;
    unsigned deepest;       /* since it was last set */
    uint32_t first_backref; /* chained by next_backref; 0 for none, as node 0 is never one */
    uint32_t last_backref;
};

bool v0_parse_path(struct v0_parser *parser);
bool v0_parse_type(struct v0_parser *parser);
bool v0_parse_const(struct v0_parser *parser);

/* Their parts that others need too, the tag taken. */
bool v0_parse_generic(struct v0_parser *parser);
bool v0_parse_lifetime(struct v0_parser *parser);

/* A back reference; its target is kept as an offset until the whole name is parsed. */
bool v0_parse_backref(struct v0_parser *parser, enum symbol_node_kind kind);

/* Items up to "E". */
bool v0_parse_list(struct v0_parser *parser, bool (*parse_item)(struct v0_parser *));

/* An identifier, with or without a disambiguator before it, into the node. */
bool v0_parse_name(struct v0_parser *parser, uint32_t node);
bool v0_parse_disambiguated_name(struct v0_parser *parser, uint32_t node);

/* One level more; fails at SYMBOL_DEPTH_MAX. Leaving is `depth--`. */
bool v0_enter(struct v0_parser *parser);

/* An error node, for an error `levels` below the node that is open. False. */
bool v0_fail(struct v0_parser *parser, enum symbol_node_kind kind, unsigned levels);
bool v0_fail_syntax(struct v0_parser *parser);

/* The same for a leaf of `node`, which is marked broken. */
bool v0_fail_before_children(struct v0_parser *parser, uint32_t node);

/* A node whose tag is the byte that was taken last. */
uint32_t v0_open_node(struct v0_parser *parser, enum symbol_node_kind kind);

/* Ends a node and hands its result on. */
bool v0_close_node(struct v0_parser *parser, uint32_t node, bool is_good);

/* The node itself, until the next one is added. */
static inline struct symbol_node *v0_at(struct v0_parser *parser, uint32_t node)
{
    return &parser->symbol->nodes[node];
}

#endif
