/* The nodes of a tree of calls, whatever makes it. */
#ifndef TREE_CALL_NODE_H
#define TREE_CALL_NODE_H

#include "tree/call_tree.h"

/* Nodes without a parent yet, that no sample is in. */
struct call_node call_node_of_root(struct profile *profile);
struct call_node call_node_of_one_thread(struct profile *profile, uint32_t thread);
struct call_node call_node_of_function(const struct profile *profile, uint32_t function);

/* In place of the calls of samples without a stack. */
struct call_node call_node_unknown(struct profile *profile);

/* Between two waits. */
struct call_node call_node_of_gap(struct profile *profile);

/* Widens what is known of where in its function the call was. */
void call_node_add_line(struct call_node *node, const struct profile_frame *frame);

/*
 * Siblings in the order wanted, as of qsort(3); those alike by name, kind and crate, so that it is the same
 * on every run.
 */
int call_node_compare(const struct profile *profile, enum call_order order, const struct call_node *a,
                      const struct call_node *b);

#endif
