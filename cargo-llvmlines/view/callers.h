/* Who causes the copies of a generic: the user's own functions that lead to them. */
#ifndef VIEW_CALLERS_H
#define VIEW_CALLERS_H

#include "graph/program.h"
#include "report/rows.h"

/*
 * Fills `out`, empty on entry, with a row for each function of the user's own that copies of the groups
 * called `name` are there for, the lines and number of those copies, and the shortest way from the function
 * to the largest of them. Each copy counts for one function, the one with the fewest calls between, so the
 * rows add up to the groups. Calls, and functions whose address is taken or that stand in vtables or statics,
 * count alike. Copies that no function of the user's own leads to count for a function of the crate that they
 * were compiled in (then `own` is "no" in JSON), and those that nothing leads to for "[nothing in the IR]".
 * Returns 0, or -1 as of program_find_groups. `out` borrows from the program.
 */
MUST_CHECK int callers_fill(struct program *program, const char *name, struct rows *out, struct error *err);

#endif
