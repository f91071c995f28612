/* What cargo's refusal of a selection does not say: it stops before it builds anything. */
#ifndef CARGO_SELECTION_HINT_H
#define CARGO_SELECTION_HINT_H

#include "base/error.h"
#include "cargo/args.h"
#include "cargo/graph.h"

/*
 * Gives `err` a hint where cargo, run with `options`, of which `selection` was read, has failed and named no
 * unit: that the workspace has no such package, or which profile's name is near. None where both are there.
 */
void selection_hint_add(const struct options *options, const struct cargo_graph *graph,
                        const struct cargo_selection *selection, struct error *err);

#endif
