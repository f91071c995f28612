/* The same instance compiled in several crates: what that costs, and which crate could have the only copy. */
#ifndef VIEW_DUPS_H
#define VIEW_DUPS_H

#include "graph/program.h"
#include "report/rows.h"

/* No unit could have the only copy. */
enum { NO_OWNER = UINT32_MAX };

/* What one group has too much of that one unit could own. */
struct excess {
    uint32_t group;
    uint32_t owner; /* unit, or NO_OWNER */
    uint64_t lines;
    uint64_t copies;
};

/* Zero-initialised is empty. */
struct excesses {
    VEC(struct excess) items; /* by group, then owner */
    struct excess *by_unit;   /* group and owner mean nothing */
    size_t unit_count;
};

void excesses_done(struct excesses *excesses);

/* Finds, by the rules below, what dups_fill makes tables of. */
void excesses_find(const struct program *program, struct excesses *out);

/* Rows that refer to each other: not to be moved. Zero-initialised is empty. */
struct dups {
    struct rows groups; /* a row for each group and owner, `crates` beside them */
    struct rows crates; /* a row for each unit that has copies too many */
};

void dups_done(struct dups *dups);

/*
 * Fills the tables. Of an instance that several units have, one copy is needed: the owner's, where one of
 * those units could be it, else the largest. All others are extra.
 *
 * A unit can be the owner when all others that have the instance depend on it, directly or not, and when it
 * knows all crates that the instance's name shows; of several the one that itself depends on the fewest. One
 * that does not have the instance itself only counts when the name shows it. Where no unit fits, nobody
 * could: two crates that know nothing of each other both asked for Vec<u8>.
 */
void dups_fill(const struct program *program, struct dups *out);

#endif
