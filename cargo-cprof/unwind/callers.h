/* The outer frames of one stack as two readings of its memory show them. */
#ifndef UNWIND_CALLERS_H
#define UNWIND_CALLERS_H

#include "base/vec.h"
#include "unwind/unwind.h"

/* Frames that are kept, innermost first. Zero-initialised is empty; to be released with callers_done. */
struct callers {
    VEC(struct unwind_frame) frames;
};

void callers_done(struct callers *callers);

/* Keeps the unwinder's frames from `first` on, or puts those kept in place of them. */
void callers_keep(struct callers *callers, const struct unwinder *unwinder, size_t first);
void callers_put_back(const struct callers *callers, struct unwinder *unwinder, size_t first);

enum callers_difference {
    CALLERS_SAME,
    CALLERS_OTHER_CALLS, /* frames are where they were, and some in another of their calls */
    CALLERS_OTHER,
    CALLERS_OTHER_ROOT, /* and they begin in another place: not both can be this thread's */
};

/*
 * How those kept, which are complete, and the unwinder's frames from `first` on differ; `*outermost` is set
 * with CALLERS_OTHER_CALLS: the last of them that does, counted from `first`. When the unwinder's are not
 * complete they tell nothing beyond the address of the last.
 */
enum callers_difference callers_compare(const struct callers *kept, const struct unwinder *unwinder,
                                        size_t first, bool is_complete, size_t *outermost);

#endif
