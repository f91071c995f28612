/* A tree of calls drawn as a flame graph. */
#ifndef EMIT_FLAME_H
#define EMIT_FLAME_H

#include "base/text.h"
#include "page/flame_graph.h"
#include "tree/call_tree.h"
#include "view/short_path.h"

/* Appends the SVG. Colours tell whose code a call is, shades the crate or, in own crates, the function. */
void flame_add(struct text *svg, const struct profile *profile, const struct call_tree *tree,
               const struct flame_look *look);

/* Sets where each frame begins: where the one before it under the same caller ended. */
void flame_lay_out(struct flame_frame *frames, size_t count);

/* Appends what is known of a call of the paths' profile besides its name and figures: "weblog, inlined,
 * src/main.rs:12-40". */
void flame_add_detail(struct text *text, struct short_paths *paths, const struct call_node *node);

#endif
