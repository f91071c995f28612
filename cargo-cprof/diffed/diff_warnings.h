/* What makes a comparison of two profiles doubtful: each is added to the settings' warnings. */
#ifndef DIFFED_DIFF_WARNINGS_H
#define DIFFED_DIFF_WARNINGS_H

#include "diffed/diff.h"

/* What either side's heap does not tell (heap_warn): also where there is no comparison. */
void diff_warn_of_heap(const struct diff_settings *settings, const struct joined_part parts[JOINED_SIDES],
                       const struct change_words *words);

/* In what the two were recorded unlike each other, and what of either its samples do not tell. */
void diff_warn_of_sides(const struct diff_settings *settings, const struct joined_part parts[JOINED_SIDES],
                        enum measure_kind kind, const struct change_words *words);

/*
 * Of folded stacks many names are nobody's: what crates of the other side seem to take more may be theirs.
 * `changes` are those of crates.
 */
void diff_warn_of_unknown_crates(const struct diff_settings *settings, const struct changes *changes,
                                 const struct change_words *words);

#endif
