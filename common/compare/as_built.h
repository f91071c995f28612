/* How one side of a comparison is built where a file was named as the other: as that file was. */
#ifndef COMPARE_AS_BUILT_H
#define COMPARE_AS_BUILT_H

#include "base/arena.h"
#include "cargo/graph.h"
#include "cli/options.h"

/* Zero-initialised is to be built as the command line says. */
struct as_built {
    struct options options; /* for the side, when is_known */
    bool is_known;
    const char
        *added; /* those that the command line has not, as typed: " --release --bin app"; when is_known */
    const char
        *doubt; /* a sentence for people where the sides are, or may be, built differently; else NULL */
};

/* What stands against a side that is built. All borrowed. */
struct as_built_file {
    const char *path;
    const char *side; /* what people call that side */
    bool is_of_other; /* that is of another revision than `graph`, and may have other targets */
    bool has_others;  /* it is the first of several, which may be of several targets */
};

/*
 * Looks where the file stands: below the target directory of the workspace that `options` are about, `graph`,
 * its profile, target and program are what the side is built as, except for what the command line says
 * itself. `options` must outlive `out`, which is to be given to as_built_done. Returns 0, or -1 with
 * ERROR_USAGE where the file is there of no target that can be built, and the command line names none.
 */
MUST_CHECK int as_built_find(struct arena *arena, const struct options *options,
                             const struct cargo_graph *graph, const struct as_built_file *file,
                             struct as_built *out, struct error *err);

void as_built_done(struct as_built *as_built);

#endif
