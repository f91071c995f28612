/* Trees of so many stacks that a picture may have no room for most of their calls. */
#ifndef TREE_HEAVY_TREE_H
#define TREE_HEAVY_TREE_H

#include "tree/call_tree.h"

/*
 * Whether the series has enough stacks for what follows to be worth it, and is such that it can be done: its
 * threads have all names, or none has, and what std has itself is its own.
 */
bool heavy_tree_is_for(const struct profile *profile, uint32_t series);

/*
 * Makes the tree that call_tree_make makes, in the order of names, but what is not among the `most_nodes`
 * heaviest, of one weight those nearest the root, may be left out; the root's own calls are there. It takes
 * memory for the nodes that are kept and some bytes for each stack alone. Where calls of one function are in
 * several files the lines of another one may be told.
 */
void heavy_tree_make(struct profile *profile, uint32_t series, size_t most_nodes, struct call_tree *out);

/* What is done with each node, whose parent and start are not set. */
typedef void heavy_tree_visit_fn(void *context, const struct call_node *node);

struct heavy_tree_walk {
    enum call_order order;
    uint64_t least; /* what weighs less is left out, with what it calls */
    heavy_tree_visit_fn *visit;
    void *context;
};

/*
 * Visits the nodes that call_tree_make makes, with the root, each before what it calls, and keeps none: it
 * takes some bytes for each stack. Lines are as of heavy_tree_make.
 */
void heavy_tree_walk(struct profile *profile, uint32_t series, const struct heavy_tree_walk *walk);

#endif
