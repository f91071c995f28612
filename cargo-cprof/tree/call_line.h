/* A call of a tree as a line for people. */
#ifndef TREE_CALL_LINE_H
#define TREE_CALL_LINE_H

#include "base/text.h"
#include "tree/call_tree.h"

/* Appends the call's name, as it is in the profile. Says of a call that was inlined everywhere that it was.
 */
void call_line_add(struct text *text, const struct profile *profile, const struct call_node *node);

#endif
