/* A tree of calls as a table: a row a call, indented below its caller. */
#ifndef TREE_TREE_ROWS_H
#define TREE_TREE_ROWS_H

#include "report/rows.h"
#include "tree/call_tree.h"

struct tree_look {
    double least_share; /* of the whole: calls below it are left out; where all are below, of the root */
    bool with_self;     /* tell what is in the calls themselves: of callers it means nothing */
};

/*
 * Fills the empty `out` with the calls below the root; how many were left out is told below the table. Shares
 * are of `whole`. The profile lives on. Of a tree that has been made with a least share, the look's is not
 * less.
 */
void tree_rows_fill(const struct profile *profile, const struct call_tree *tree, uint64_t whole,
                    const struct tree_look *look, struct rows *out);

#endif
