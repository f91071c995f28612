/* What makes functions of two profiles differ although the program may be the same: how they were recorded.
 */
#ifndef CHANGES_UNLIKE_H
#define CHANGES_UNLIKE_H

#include "base/arena.h"
#include "changes/change_rows.h"
#include "changes/joined.h"

enum { UNLIKE_MOST = 6 };

/* Whether one side alone has callers: what functions take with all that they call is not alike then. */
bool unlike_is_without_callers(const struct joined_part parts[JOINED_SIDES]);

/*
 * A sentence, without an end, for each of these that one side has and the other has not: calls that were
 * inlined, callers, samples that were left out (some threads), waits and memory that were recorded, too,
 * names that tell type arguments (v0 mangling). Returns how many there are; they are in the arena.
 */
size_t unlike_find(const struct joined_part parts[JOINED_SIDES], const struct change_words *words,
                   struct arena *arena, const char *out[UNLIKE_MOST]);

#endif
