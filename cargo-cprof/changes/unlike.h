/* What makes functions of two profiles differ although the program may be the same: how they were recorded.
 */
#ifndef CHANGES_UNLIKE_H
#define CHANGES_UNLIKE_H

#include "base/text.h"
#include "changes/change_rows.h"
#include "changes/joined.h"

/*
 * Appends a line for each of these that one side has and the other has not: calls that were inlined, callers,
 * samples that were left out (some threads), names that tell type arguments (v0 mangling).
 */
void unlike_add(struct text *text, const struct joined_part parts[JOINED_SIDES],
                const struct change_words *words);

#endif
