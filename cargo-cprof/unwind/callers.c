#include "unwind/callers.h"

void callers_done(struct callers *callers)
{
    vec_done(&callers->frames);
}

void callers_keep(struct callers *callers, const struct unwinder *unwinder, size_t first)
{
    callers->frames.count = 0;
    for (size_t i = first; i < unwinder->frame_count; i++)
        *vec_add(&callers->frames) = unwinder->frames[i];
}

void callers_put_back(const struct callers *callers, struct unwinder *unwinder, size_t first)
{
    for (size_t i = 0; i < callers->frames.count; i++)
        unwinder->frames[first + i] = callers->frames.items[i];
    unwinder->frame_count = first + callers->frames.count;
}

/* The last frame has no CFA: where it stands is told by the one before. */
static uint64_t place_of_root(const struct unwind_frame *frames, size_t count)
{
    return count > 1 ? frames[count - 2].cfa : 0;
}

static bool has_same_root(const struct unwind_frame *a, size_t a_count, const struct unwind_frame *b,
                          size_t b_count)
{
    if (a_count == 0 || b_count == 0)
        return a_count == b_count;
    return a[a_count - 1].address == b[b_count - 1].address &&
           place_of_root(a, a_count) == place_of_root(b, b_count);
}

/* Of the first `count` frames, and which is the last that differs. */
static enum callers_difference compare(const struct unwind_frame *a, const struct unwind_frame *b,
                                       size_t count, size_t *outermost)
{
    enum callers_difference result = CALLERS_SAME;

    for (size_t i = 0; i < count; i++) {
        bool is_last = i + 1 == count;

        if (!is_last && a[i].cfa != b[i].cfa)
            return CALLERS_OTHER;
        if (a[i].address == b[i].address)
            continue;
        result = CALLERS_OTHER_CALLS;
        *outermost = i;
    }
    return result;
}

enum callers_difference callers_compare(const struct callers *kept, const struct unwinder *unwinder,
                                        size_t first, bool is_complete, size_t *outermost)
{
    const struct unwind_frame *frames = &unwinder->frames[first];
    size_t kept_count = kept->frames.count;
    size_t count = unwinder->frame_count - first;

    if (is_complete && !has_same_root(kept->frames.items, kept_count, frames, count))
        return CALLERS_OTHER_ROOT;
    if (count > kept_count) /* fewer that begin at the same root are elsewhere */
        return CALLERS_OTHER;
    return compare(kept->frames.items, frames, count, outermost);
}
