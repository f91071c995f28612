/* Trees that begin where samples were taken, or at the function whose callers are asked for. */
#ifndef TREE_REVERSED_TREE_H
#define TREE_REVERSED_TREE_H

#include "tree/path_tree.h"

/* What path_tree_make does for PATHS_REVERSED and PATHS_CALLERS. */
void reversed_tree_make(struct profile *profile, uint32_t series, enum call_order order,
                        const struct path_choice *choice, struct call_tree *out);

#endif
