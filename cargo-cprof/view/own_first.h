/* Rows of functions that take nothing themselves: the user's own tell most. */
#ifndef VIEW_OWN_FIRST_H
#define VIEW_OWN_FIRST_H

#include "report/rows.h"

/* Of rows in the order of the numbers in column `self`, large ones first: how many have more than 0. */
size_t own_first_count(const struct rows *rows, size_t self);

/*
 * Puts the others, which keep their order else, so that those of the user's own crates come first. The last
 * column has category_name's words. No row may have a look of its own.
 */
void own_first_sort(struct rows *rows, size_t self);

#endif
