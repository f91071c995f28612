/* From the command line to counts: of what cargo builds, or of files that were named. */
#ifndef MEASURE_MEASURE_H
#define MEASURE_MEASURE_H

#include "build/own_crates.h"
#include "cargo/graph.h"
#include "counts/unit_counts.h"
#include "elf/made_for.h"
#include "groups/group_sizes.h"
#include "groups/groups.h"
#include "measure/settings.h"

/* One target of a package, or one file. */
struct part {
    const char *label; /* "lib serde", "test client", a path */
    uint64_t lines;
    uint64_t copies;
};

/* A part with all that is known of it. */
struct measured_unit {
    const char *label;
    struct slice stem; /* its name among the dependencies of others; empty for a file */
    bool is_own;       /* the user's own code: of the workspace, or what was asked for; files all are */
    struct symbol_crate crate; /* as symbols call it; no name when none tells */
    struct unit_counts counts;
};

/* Owns all it points to. Zero-initialised is empty. */
struct measurement {
    struct arena arena;
    struct groups groups; /* of all parts together */
    struct crates crates;
    VEC(struct part) parts;
    struct own_crates own;
    VEC(struct measured_unit) units; /* in the order of the parts, where the settings ask for them */
    const char *optimised;           /* a file that was written after LLVM's optimisations; NULL: none */
    struct made_for made_for;        /* of files: the first that tells; constants */
    VEC(const char *) kept;          /* IR that was kept, with --keep-ir */
    const char *left_out;            /* a sentence about crates that are not counted; NULL: none */
    bool has_sizes;                  /* what follows is known: --sizes */
    struct group_sizes sizes;
    VEC(const char *) sized; /* the files whose code that is */
};

void measure_done(struct measurement *measurement);

/* What is measured of nothing with these settings. Always 0. */
int measure_nothing(const struct llvmlines_settings *settings, struct measurement *out);

/*
 * Counts the files of the settings. Returns 0, or -1 as of ir_count_file and measure_sizes_of_file. `out` is
 * to be given to measure_done either way.
 */
MUST_CHECK int measure_files(const struct llvmlines_settings *settings, struct measurement *out,
                             struct error *err);

/*
 * Has cargo compile what is selected and is not up to date, and takes the counts. Counts that are missing or
 * damaged are made again, once. `graph` is what cargo tells of the options; NULL: not asked yet. Returns 0,
 * or -1: as of cargo_graph_load, cargo_one_platform_check, check_run and, where sizes are asked for,
 * sized_build_run; ERROR_MISSING when nothing is compiled for the selection. `out` likewise.
 */
MUST_CHECK int measure_project(const struct options *options, const struct cargo_graph *graph,
                               const struct llvmlines_settings *settings, struct measurement *out,
                               struct error *err);

#endif
