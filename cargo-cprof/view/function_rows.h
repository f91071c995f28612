/* A profile's functions as a table: how much of the whole is spent in each itself, and in it with what it
 * calls. */
#ifndef VIEW_FUNCTION_ROWS_H
#define VIEW_FUNCTION_ROWS_H

#include "profile/totals.h"
#include "report/rows.h"

enum function_order { FUNCTIONS_BY_SELF, FUNCTIONS_BY_TOTAL };

enum function_choice { FUNCTIONS_ALL, FUNCTIONS_OWN }; /* of the user's own crates */

/*
 * Fills the empty `out` with the functions that have samples. Both the profile and `out` must live on:
 * the rows borrow the profile's strings.
 */
void function_rows_fill(const struct profile *profile, const struct totals *totals, enum function_order order,
                        enum function_choice choice, struct rows *out);

/* Of rows that were filled in the order of functions themselves: how many of these take anything. */
size_t function_rows_count_self(const struct rows *rows);

/* In place of a function: nothing is known of such samples but their thread. */
#define NO_STACK "[no stack]"

/* "own", "dependency", "std", "kernel", "other", "unknown". */
const char *category_name(enum category category);

#endif
