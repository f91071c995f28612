/* Two profiles drawn as one flame graph: as wide as what is, red what takes more than before, blue less. */
#ifndef EMIT_FLAME_DIFF_H
#define EMIT_FLAME_DIFF_H

#include "base/text.h"
#include "changes/change_tree.h"
#include "page/flame_graph.h"

/*
 * Appends the SVG. Colours go by what a call itself takes; within noise it has none. Calls that are
 * gone stand beside the root's, below one called "[gone]", as wide as they were. `is_negated` takes red for
 * less and blue for more: for the other order of the two sides. Of `look`, palette, units and the words for
 * the colours are set here.
 */
void flame_diff_add(struct text *svg, const struct changes *changes, const struct change_tree *tree,
                    bool is_negated, const struct flame_look *look);

#endif
