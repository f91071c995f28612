#include "revision/range.h"

static const char *or_head(struct arena *arena, struct slice name)
{
    return name.length > 0 ? arena_copy(arena, name) : "HEAD";
}

bool range_read(struct arena *arena, const char *word, struct range *out)
{
    struct slice whole = slice_of(word);
    size_t dots = slice_find(whole, SLICE(".."));
    bool is_merge_base = false;
    struct slice right;

    if (dots == whole.length)
        return false;
    is_merge_base = slice_starts_with(slice_range(whole, dots, whole.length), SLICE("..."));
    right = slice_range(whole, dots + (is_merge_base ? 3 : 2), whole.length);
    *out = (struct range){or_head(arena, slice_range(whole, 0, dots)), or_head(arena, right), is_merge_base};
    return true;
}
