/*
 * Folded stacks: a line a path, "thread;main;work 42", as FlameGraph's and inferno's collapse programs
 * write them and as every flame graph program reads them.
 */
#ifndef EMIT_FOLDED_H
#define EMIT_FOLDED_H

#include "base/text.h"
#include "view/call_tree.h"

/*
 * Appends a line for each path that has samples of its own. A ";" in a name becomes ":", as those programs
 * do; what would end a line or is no UTF-8 is written as an escape.
 */
void folded_add(struct text *text, const struct profile *profile, const struct call_tree *tree);

#endif
