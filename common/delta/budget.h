/* Limits that what changed must keep: --fail-over on the command line, or `fail-over` in Cargo.toml. */
#ifndef DELTA_BUDGET_H
#define DELTA_BUDGET_H

#include "base/error.h"
#include "base/vec.h"
#include "cargo/graph.h"
#include "delta/delta_rows.h"
#include "delta/limit.h"
#include "delta/over_limits.h"

enum budget_subject { BUDGET_TOTAL, BUDGET_CRATE, BUDGET_FUNCTION };

/* One limit of growth; what shrinks keeps every limit, and so does a crate or function that is within noise.
 * Strings live in an arena of the caller's. */
struct budget_rule {
    const char *text; /* as it was written: "crate:serde=1%" */
    const char *from; /* where: "--fail-over", "package.metadata.bloatc of app" */
    enum budget_subject subject;
    const char *name;     /* the crate or function; NULL: each of them */
    enum limit_unit unit; /* LIMIT_PERCENT: what is new is over any; LIMIT_PLAIN: of bytes, or counted */
    double limit;         /* in that unit */
    bool is_standing;     /* of Cargo.toml: meant for every view, also for one that cannot tell */
};

/* Zero-initialised is none. */
struct budget {
    VEC(struct budget_rule) rules;
};

void budget_done(struct budget *budget);

/*
 * Reads one rule, as of limit_read: "1.5%" of the whole, "crate=4KiB" and "function=1%" of each of them,
 * "crate:NAME=0" of one. Returns 0, or -1 as of limit_refuse.
 */
MUST_CHECK int budget_add(struct arena *arena, struct slice text, const char *from, struct budget *budget,
                          struct error *err);

/* The rules of all uses of --fail-over. Returns 0, or -1 as of budget_add. */
MUST_CHECK int budget_read_options(struct arena *arena, const struct options *options, struct budget *budget,
                                   struct error *err);

/*
 * The rules under [package.metadata.VERB] of the packages that are selected, VERB being the command's name;
 * where none of them has some, those under [workspace.metadata.VERB]. `fail-over` is a string or an array of
 * strings. Those about what a rule in `budget`, of the command line, is about (all; each crate; crate:NAME)
 * are left out, as cargo's options stand for its settings: the others hold beside it. Returns 0, or -1: as of
 * budget_add, ERROR_USAGE when it is of another type.
 */
MUST_CHECK int budget_read_metadata(struct arena *arena, const struct options *options,
                                    const struct cargo_graph *graph, struct budget *budget,
                                    struct error *err);

/*
 * Adds to `over` what is over the rules. Returns 0, or -1 with ERROR_USAGE when the rows do not tell what a
 * rule of the command line is about, or are of another unit. Adds to `doubts` a sentence, separated by "; ",
 * for each rule of Cargo.toml that is not checked for that reason, and for each that names what neither side
 * has: it is kept whatever happens, which a slip of the pen is too; and for each crate over its limit that is
 * inferred.
 */
MUST_CHECK int budget_hold(const struct budget *budget, const struct delta *delta,
                           const struct delta_words *words, struct over_limits *over, struct text *doubts,
                           struct error *err);

/* The same of all there is. Returns 0 when all rules are kept, or -1 as of budget_hold and over_limits_check.
 */
MUST_CHECK int budget_check(const struct budget *budget, const struct delta *delta,
                            const struct delta_words *words, struct text *doubts, struct error *err);

#endif
