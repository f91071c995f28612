/* Whether what changed between two profiles changed as the machine would have it: all of it as much. */
#ifndef CHANGES_ALIKE_H
#define CHANGES_ALIKE_H

#include "changes/changes.h"

/* Whether it is as large a part of its side as it was, or may be so by chance. */
bool alike_by_share(const struct changes *changes, const struct change_figure *figure);

/* Fills moved_alike and moved_alone of changes that are judged and counted. */
void alike_find(struct changes *changes);

#endif
