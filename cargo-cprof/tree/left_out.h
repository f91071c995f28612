/* What of a tree is too light to be kept. */
#ifndef TREE_LEFT_OUT_H
#define TREE_LEFT_OUT_H

#include "tree/call_tree.h"
#include "tree/heaviest.h"

/* Counts what a call that is left out had of its own; of no function (PROFILE_NONE), where no stack is known.
 */
void left_out_add_self(struct call_tree *tree, const struct profile *profile, uint32_t function,
                       uint64_t self);

/*
 * Leaves out of a tree of stacks as they are what is not among the heaviest any longer, now that all its
 * nodes were asked about; threads and the root's own calls stay.
 */
void left_out_drop_lighter(struct call_tree *tree, const struct profile *profile, struct heaviest *heaviest);

#endif
