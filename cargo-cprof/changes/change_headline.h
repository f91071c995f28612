/* What changed in one sentence: what people read first of a comparison, and often alone. */
#ifndef CHANGES_CHANGE_HEADLINE_H
#define CHANGES_CHANGE_HEADLINE_H

#include "base/arena.h"
#include "changes/change_rows.h"

/*
 * Markdown: how the whole changed, which function or crate changed most itself, and where that is little, of
 * whose calls most of it is; what was compared, by what, and how many changed beyond noise.
 */
const char *change_headline(struct arena *arena, const struct changes *changes, enum joined_by by,
                            const struct change_words *words);

/* "CPU time", "CPU time outside of the kernel", "samples", "page-faults", "heap-peak": what the whole is
 * called. */
struct slice change_subject(const struct changes *changes);

#endif
