/* "A..B" and "A...B", as git diff takes them. */
#ifndef REVISION_RANGE_H
#define REVISION_RANGE_H

#include <stdbool.h>

#include "base/arena.h"

struct range {
    const char *left; /* in the arena; "HEAD" for nothing */
    const char *right;
    bool is_merge_base; /* three dots: the left side is what both have in common */
};

/* Whether the word is a range. */
bool range_read(struct arena *arena, const char *word, struct range *out);

#endif
