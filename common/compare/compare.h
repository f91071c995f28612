/*
 * What a command that shows rows does with --diff: measures both sides and shows what changed. Without --diff
 * it shows its rows as they are.
 */
#ifndef COMPARE_COMPARE_H
#define COMPARE_COMPARE_H

#include "cargo/graph.h"
#include "delta/delta_filter.h"
#include "delta/delta_rows.h"
#include "elf/made_for.h"
#include "report/outputs.h"

/* --diff, --rev, --fail-over. */
extern const struct option_table compare_options;

enum compare_place {
    COMPARE_HEAD,
    COMPARE_BASE,
    COMPARE_NOTHING, /* only what rows of these options have is asked for, and no rows */
    COMPARE_PLACES
};

/* One side, to be measured. All borrowed, until compare_run is over. */
struct compare_subject {
    enum compare_place place;
    const struct options *options;   /* those of the command line, or made from them */
    const struct cargo_graph *graph; /* what cargo tells of them; NULL: not asked yet */
    const char *called;              /* a file that is not read where it stood; NULL: by its path */
};

/* Measures one side and sets `out`, zeroed before, to rows that stay until compare_run is over. */
typedef int compare_measure_fn(void *context, const struct compare_subject *subject, struct rows **out,
                               struct error *err);

/* Makes the rows of the head, which is measured, anew: of what the filter wants alone. */
typedef int compare_narrow_fn(void *context, struct rows **out, struct error *err);

/* Whether files can be measured with the options, which name them: asked before anything is built. */
typedef int compare_check_fn(const struct options *options, struct error *err);

/*
 * What the files of a side, which is measured, were made for; of several the first that tells. Whatever is
 * not told stays empty. Strings that are made for it live in `arena`.
 */
typedef void compare_made_for_fn(void *context, enum compare_place place, struct arena *arena,
                                 struct made_for *out);

/* All borrowed. */
struct compare_request {
    const struct options *options; /* of the command line, which has compare_options */
    const struct outputs *outputs;
    compare_measure_fn *measure;
    compare_check_fn *check_files; /* NULL: measuring tells soon enough */
    compare_made_for_fn *made_for; /* NULL: what is measured does not tell */
    void *context;
    void *forms_context;       /* what outputs->forms are rendered from, of the head alone */
    struct delta_words words;  /* without the sides' names */
    const char *filter;        /* of what changed, as typed; NULL: all. The sides are measured without, */
    compare_narrow_fn *narrow; /* and the head is narrowed to it where there is nothing to compare it with */
    bool filter_may_be_crate;  /* as of struct delta_filter, */
    bool filter_joins_std;     /* likewise */
    const struct asked_option *asked; /* ends with a NULL name */
    const char *primary_key;          /* of the value that the order goes by; NULL: the first */
    const char *const
        *not_for_files;        /* options that a file is not measured with, beside cargo's; ends in NULL */
    const char *inferred_fact; /* how much of `whole_fact` is of crates that are inferred, and the column of
                                  rows that tells it of them; NULL: nothing is */
    bool rows_are_crates;      /* so that those which are inferred may be wrong in all they tell */
    const char *whole_fact;
    const char *file_option; /* whose values are files as positionals are; NULL: none */
};

/* Whether two sides are compared: rows that one of them lacks are then no mistake. */
bool compare_is_wanted(const struct options *options);

/*
 * Measures, compares and writes the outputs. Returns 0, or -1: as of sides_read, the measuring,
 * baseline_read and outputs_write;
 * ERROR_USAGE when a comparison is asked for in a form that outputs->forms has, or a budget without a
 * comparison; as of check_files and budget_hold before anything is measured, of budget_check when all is
 * written and a limit is passed. When the base is measured and that fails, the head's own rows are written
 * all the same, and the failure is the result.
 */
MUST_CHECK int compare_run(const struct compare_request *request, struct error *err);

#endif
