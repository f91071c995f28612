/*
 * Trees of calls that are not the stacks as they were: reversed, the callers or callees of some functions,
 * cut below a function, of one thread.
 */
#ifndef TREE_PATH_TREE_H
#define TREE_PATH_TREE_H

#include "tree/call_tree.h"

enum path_shape {
    PATHS_DOWN,     /* from the thread's start, below its thread */
    PATHS_REVERSED, /* from where samples were taken to the callers, whatever the thread */
    PATHS_CALLEES,  /* from the outermost call of a chosen function on; other samples are left out */
    PATHS_CALLERS,  /* from the innermost call of a chosen function to its callers; others are left out */
};

/* Zero-initialised is all stacks as they are. */
struct path_choice {
    enum path_shape shape;
    const bool *chosen; /* by function: of PATHS_CALLEES and PATHS_CALLERS; else NULL */
    const bool
        *skip_after; /* by function: what lies above the outermost call of one is left out; NULL: none */
    const bool
        *left_out;      /* by function: its calls are left out, what they call is the caller's; NULL: none */
    bool per_thread;    /* threads of one name stay apart */
    bool gives_to_own;  /* of the heap: what is std's own counts as totals_own_frame's, unless reversed */
    double least_share; /* of all in the tree: lighter nodes are only counted; from 0, none, to 1 */
    size_t most_nodes; /* of what is reversed: what is not among so many heaviest, of one weight those nearest
                          the root, may be only counted; not the root's own calls. 0: all are there */
};

/*
 * Makes the tree, as call_tree_make does. Reversed, and of callers, it takes memory for the nodes that are
 * kept and the different stacks alone. To be released with call_tree_done.
 */
void path_tree_make(struct profile *profile, uint32_t series, enum call_order order,
                    const struct path_choice *choice, struct call_tree *out);

#endif
