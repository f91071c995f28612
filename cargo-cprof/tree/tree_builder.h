/* A tree of calls while it grows, path by path, whatever the paths are made of. */
#ifndef TREE_TREE_BUILDER_H
#define TREE_TREE_BUILDER_H

#include "tree/call_tree.h"

/* Nodes in the order in which they are met; the first is the root. To be released with tree_builder_done. */
struct tree_builder {
    struct profile *profile; /* borrowed */
    enum call_order order;
    struct pair_index children; /* parent and what the child is, to the node less one for the root */
    VEC(struct call_node) nodes;
};

void tree_builder_init(struct tree_builder *tree, struct profile *profile, enum call_order order);
void tree_builder_done(struct tree_builder *tree);

/* The node for all threads of this one's name; the root for a thread without a name. */
uint32_t tree_builder_thread(struct tree_builder *tree, uint32_t thread);

/* The node for this thread alone, with its id. */
uint32_t tree_builder_one_thread(struct tree_builder *tree, uint32_t thread);

/* The node in place of the calls of samples without a stack. */
uint32_t tree_builder_unknown(struct tree_builder *tree, uint32_t parent);

/* The node for a call of the frame's function; widens what is known of where in it that was. */
uint32_t tree_builder_call(struct tree_builder *tree, uint32_t parent, const struct profile_frame *frame);

/*
 * Adds up what nodes have of their own and puts them in order; those below `least_share` of the root's total
 * are only counted.
 */
void tree_builder_finish(struct tree_builder *tree, double least_share, struct call_tree *out);

#endif
