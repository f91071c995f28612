/* A tree of calls drawn as a flame graph. */
#ifndef EMIT_FLAME_H
#define EMIT_FLAME_H

#include "base/text.h"
#include "page/flame_graph.h"
#include "view/call_tree.h"

/* Appends the SVG. Colours tell whose code a call is, shades the crate or, in own crates, the function. */
void flame_add(struct text *svg, const struct profile *profile, const struct call_tree *tree,
               const struct flame_look *look);

#endif
