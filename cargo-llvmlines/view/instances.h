/* The copies of one generic, each by itself. */
#ifndef VIEW_INSTANCES_H
#define VIEW_INSTANCES_H

#include "graph/program.h"
#include "report/rows.h"

/*
 * Fills `out`, empty on entry, with a row for each copy that the groups called `name` have: its lines, what
 * was asked about inlining, the type arguments it was made for (the name where symbols do not tell them) and
 * the target that it was compiled in; the largest first. They add up to the groups. Returns 0, or -1 as of
 * program_find_groups. `out` borrows from the program.
 */
MUST_CHECK int instances_list(struct program *program, const char *name, struct rows *out, struct error *err);

#endif
