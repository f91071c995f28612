/* A call of a tree as a line for people, indented below its caller's. */
#ifndef VIEW_CALL_LINE_H
#define VIEW_CALL_LINE_H

#include "base/text.h"
#include "view/call_tree.h"

/* Calls below this level stand as far in as those of it: lines of deep recursion would grow with its depth.
 */
enum { CALL_LINE_MOST_LEVELS = 120 };

/*
 * Appends the call's name, as it is in the profile, two spaces further in for each level; below the last that
 * is indented "[LEVEL]" before it. Says of a call that was inlined everywhere that it was.
 */
void call_line_add(struct text *text, const struct profile *profile, const struct call_node *node,
                   uint32_t level);

#endif
