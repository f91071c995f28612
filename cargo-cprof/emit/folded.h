/*
 * Folded stacks: a line a path, "thread;main;work 42", as FlameGraph's and inferno's collapse programs
 * write them and as every flame graph program reads them.
 */
#ifndef EMIT_FOLDED_H
#define EMIT_FOLDED_H

#include "base/text.h"
#include "tree/call_tree.h"

/*
 * Appends a line for each path that has samples of its own. A ";" in a name becomes ":", as those programs
 * do; what would end a line or is no UTF-8 is written as an escape.
 */
void folded_add(struct text *text, const struct profile *profile, const struct call_tree *tree);

/* The same of a series for which heavy_tree_is_for, without a tree. */
void folded_add_heavy(struct text *text, struct profile *profile, uint32_t series);

/* What a path has of its own in two profiles. */
struct folded_pair {
    uint64_t before;
    uint64_t after;
};

/*
 * The same of two profiles, as inferno-diff-folded writes it: two numbers a line, that of the first and
 * that of the second; paths that have neither are left out. `pairs` is by node.
 */
void folded_add_pairs(struct text *text, const struct profile *profile, const struct call_tree *tree,
                      const struct folded_pair *pairs);

#endif
