#include "unwind/frame_list.h"

size_t frame_list_contradiction(struct frame_list known, struct frame_list other, bool is_whole)
{
    size_t common = other.count < known.count ? other.count : known.count;

    for (size_t i = 0; i < common; i++) {
        const struct unwind_frame *a = &known.items[i];
        const struct unwind_frame *b = &other.items[i];
        bool is_last = i + 1 == other.count;

        if (a->address != b->address || (!is_last && a->cfa != b->cfa))
            return i;
    }
    if (other.count > known.count || (is_whole && other.count < known.count))
        return common;
    return FRAME_LIST_AGREES;
}
