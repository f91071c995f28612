/* The targets that a selection may mean. */
#ifndef CARGO_CANDIDATES_H
#define CARGO_CANDIDATES_H

#include "base/vec.h"
#include "cargo/choose.h"

/* In the order of the graph. Zero-initialised is empty; to be released with cargo_candidates_done. */
struct cargo_candidates {
    VEC(struct cargo_choice) items;
};

void cargo_candidates_done(struct cargo_candidates *candidates);

/* What is asked of each target of each selected package. Borrowed. */
struct cargo_question {
    const struct cargo_graph *graph;
    const struct cargo_selection *selection;
    struct slice default_run; /* the one that is set; empty for none or several */
};

typedef bool cargo_fits_fn(const struct cargo_question *question, const struct cargo_package *package,
                           const struct cargo_target *target);

/* Adds the targets of the packages that are selected, as far as they fit. */
void cargo_candidates_collect(const struct cargo_question *question, cargo_fits_fn *fits,
                              struct cargo_candidates *out);

/* What the options that name targets are for, of what cargo would build of them. */
cargo_fits_fn cargo_fits_wishes;

/* A library or binary whose unit tests are asked for: that of the name, or where none is given any. */
cargo_fits_fn cargo_fits_unit;

/* Whether it is a library or binary that the options leave in: --lib and --bin say which of one name. */
cargo_fits_fn cargo_may_be_unit;

/* A program, or where that is enough also a shared or static library. */
bool cargo_is_looked_for(const struct cargo_question *question, const struct cargo_target *target);

#endif
