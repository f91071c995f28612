/*
 * What is known of one unit's IR: its functions with their lines, and which of them and of other units' each
 * one names. Small enough to be kept for every crate of a graph (counts.h).
 */
#ifndef COUNTS_UNIT_COUNTS_H
#define COUNTS_UNIT_COUNTS_H

#include "base/arena.h"
#include "base/vec.h"
#include "ir/names.h"

enum node_kind {
    COUNTED_FUNCTION, /* defined here: has lines, is a copy */
    COUNTED_STATIC,   /* a static that leads to functions */
    COUNTED_DATA, /* a global without a name that others could use: a vtable, a constant; leads to functions
                   */
};

/* What has a body or an initialiser. */
struct counted_node {
    uint32_t symbol;   /* index in symbols; that of COUNTED_DATA begins with DATA_MARK */
    uint8_t kind;      /* enum node_kind */
    uint8_t inlining;  /* enum ir_inlining */
    uint64_t lines;    /* of functions, else 0 */
    uint64_t switches; /* at most `lines` */
    size_t first_use;  /* in uses */
    size_t use_count;
};

/* Begins the symbol of what has no name outside its unit, which then means nothing there. */
#define DATA_MARK '\x01'

/* Owns all it points to. Zero-initialised is empty. */
struct unit_counts {
    struct arena arena;
    struct slice crate_name;
    uint64_t crate_disambiguator;   /* as v0 names have it; 0: the IR does not tell */
    VEC(struct slice) dependencies; /* units: what their files' names begin with, "serde-0123456789abcdef" */
    VEC(struct slice) symbols;      /* of nodes and what they use; bytewise ascending, each once */
    VEC(struct counted_node) nodes; /* in the order of the IR */
    VEC(uint32_t) uses;             /* indices in symbols; each node's are ascending */
};

void unit_counts_done(struct unit_counts *counts);

/* The sum of all functions' lines. */
uint64_t unit_counts_lines(const struct unit_counts *counts);

#endif
