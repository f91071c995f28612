/*
 * What every command does that compares two profiles: the table of what changed, the picture, folded stacks,
 * limits.
 */
#ifndef DIFFED_DIFF_H
#define DIFFED_DIFF_H

#include "changes/change_rows.h"
#include "changes/change_tree.h"
#include "delta/budget.h"
#include "emit/output.h"
#include "report/outputs.h"

/* --measure, --by, --negate, and the name that inferno-diff-folded has for shares. */
extern const struct option_table diff_options;

/* -w, --format, -o: also .svg and .folded. */
extern const struct option_table diff_output_options;

/* What -o says of the endings. */
#define DIFF_ENDINGS ".svg, .folded, .json, .csv, .md or .txt"

/* Returns 0, or -1 with ERROR_USAGE when one of diff_options was given though nothing is compared. */
MUST_CHECK int diff_check_unused(const struct options *options, struct error *err);

/* What the options say. To be released with diff_settings_done. */
struct diff_settings {
    const struct options *options; /* borrowed */
    bool has_measure;              /* one was asked for */
    enum measure_kind measure;
    bool is_negated;
    enum joined_by by;
    struct outputs outputs;
    struct output_look look;
    const char *picture;       /* where to draw besides; NULL: nowhere. Not set by diff_settings_read */
    struct warnings *warnings; /* for those of the comparison; borrowed. Not set by diff_settings_read */
    const char *note;          /* to stand under the table; NULL: none. Not set by diff_settings_read */
    struct budget budget;
    struct arena arena;
};

/*
 * To be asked before the work. Returns 0, or -1 with ERROR_USAGE when a value is none, an output's name does
 * not tell its format, or the picture is to be one that cannot be compared; ERROR_IO when an output cannot be
 * written. `out` is to be given to
 * diff_settings_done either way, and is not moved.
 */
MUST_CHECK int diff_settings_read(const struct options *options, struct diff_settings *out,
                                  struct error *err);

void diff_settings_done(struct diff_settings *settings);

/*
 * What the two are compared by. Returns 0, or -1 as of measure_make and empty_side_check: there is no
 * comparison.
 */
MUST_CHECK int diff_measure(const struct diff_settings *settings,
                            const struct joined_part parts[JOINED_SIDES], const struct change_words *words,
                            struct measure *out, struct error *err);

/*
 * Compares, writes the outputs and the table on standard output. Returns 0, or -1: as of diff_measure,
 * outputs_write and, when all is written, budget_check.
 */
MUST_CHECK int diff_run(const struct diff_settings *settings, const struct joined_part parts[JOINED_SIDES],
                        const struct change_words *words, struct error *err);

#endif
