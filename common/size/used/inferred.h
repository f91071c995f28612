/* Whose functions are of which nothing but their names tells, and the code around them. */
#ifndef SIZE_USED_INFERRED_H
#define SIZE_USED_INFERRED_H

#include "size/used/finder.h"

/*
 * Infers the crate of each function that has none yet, in the order of addresses. What comes before the first
 * crate is of that one's unit.
 */
void used_inferred_find(struct used_finder *finder);

#endif
