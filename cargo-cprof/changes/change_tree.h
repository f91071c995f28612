/* The calls of two profiles as one tree, with what each call takes in both. */
#ifndef CHANGES_CHANGE_TREE_H
#define CHANGES_CHANGE_TREE_H

#include "changes/changes.h"
#include "tree/call_tree.h"

/* What a call of the tree takes, itself and with its calls. */
struct change_node {
    struct change_figure self;
    struct change_figure total;
    uint64_t gone; /* part of the total before, of calls that are gone: all of it where this one is */
};

/* To be released with change_tree_done. */
struct change_tree {
    struct call_tree calls;    /* of both sides together; its weights say nothing */
    struct change_node *nodes; /* owned; by node of `calls` */
};

/* Makes the tree of one series of the joined profile, whatever its shape, siblings in the order of names. */
typedef int change_tree_fn(void *context, struct profile *joined, uint32_t series, struct call_tree *out,
                           struct error *err);

/*
 * Makes the tree of what `changes` were made of. A call's difference is no noise when chance alone does not
 * make it, or when its function's is none and of the same direction; of what its function varies it has its
 * part. Gone is a call that is not there any more while its function is in neither any more, or whose going
 * is more than chance; and what it called. Returns 0, or -1 as `make` does.
 */
MUST_CHECK int change_tree_make(struct changes *changes, change_tree_fn *make, void *context,
                                struct change_tree *out, struct error *err);

void change_tree_done(struct change_tree *tree);

#endif
