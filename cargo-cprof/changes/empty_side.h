/* A side of which nothing was sampled is no side: that it took nothing is not known. */
#ifndef CHANGES_EMPTY_SIDE_H
#define CHANGES_EMPTY_SIDE_H

#include "changes/change_rows.h"

/*
 * Returns 0 where both sides have samples that can be compared; also where one has none of what has a sample
 * each time it happens, as waits, and so had none of it. Else -1 with ERROR_MISSING. `measure` is that of the
 * parts.
 */
MUST_CHECK int empty_side_check(const struct joined_part parts[JOINED_SIDES], const struct measure *measure,
                                const struct change_words *words, struct error *err);

#endif
