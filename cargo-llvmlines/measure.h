/* From the command line to counts: of what cargo builds, or of files that were named. */
#ifndef CARGO_LLVMLINES_MEASURE_H
#define CARGO_LLVMLINES_MEASURE_H

#include "command_line.h"
#include "groups.h"

/* One target of a package, or one file. */
struct part {
    const char *label; /* "lib serde", "test client", a path */
    uint64_t lines;
    uint64_t copies;
};

/* Owns all it points to. Zero-initialised is empty. */
struct measurement {
    struct arena arena;
    struct groups groups; /* of all parts together */
    VEC(struct part) parts;
    VEC(const char *) kept; /* IR that was kept, with --keep-ir */
};

void measurement_done(struct measurement *measurement);

/*
 * Counts the files of the settings. Returns 0, or -1 as of ir_count_file. `out` is to be given to
 * measurement_done either way.
 */
MUST_CHECK int measure_files(const struct llvmlines_settings *settings, struct measurement *out,
                             struct error *err);

/*
 * Has cargo compile what is selected and is not up to date, and takes the counts. Counts that are missing or
 * damaged are made again, once. Returns 0, or -1: as of cargo_graph_load and check_run; ERROR_MISSING
 * when nothing is compiled for the selection. `out` likewise.
 */
MUST_CHECK int measure_project(const struct options *options, const struct llvmlines_settings *settings,
                               struct measurement *out, struct error *err);

#endif
