/* Names cut to the width there is. */
#ifndef REPORT_CUT_H
#define REPORT_CUT_H

#include "base/arena.h"
#include "base/text.h"

/*
 * Appends the name with "..." for the middle of what goes beyond `columns`, which are more than 6. More is
 * kept of its end, where functions differ: `<usize as core...:SliceIndex<[T]>>::get`.
 */
void cut_add(struct text *text, struct slice name, size_t columns);

/* One of several names that are read beside each other. */
struct cut_name {
    struct slice name; /* borrowed, UTF-8 */
    size_t columns;    /* that it may take, more than 6 */
    struct slice cut;  /* what is seen of it: borrowed, or in the arena of cut_names */
};

/*
 * Cuts each to its width as cut_add does; those that would then read alike and are not the same are cut in
 * more places, so that what they differ in is seen:
 * `<aho_cora...SlimAVX2<...eddy::builder::SearcherT>::find`. Only where names differ in more than four
 * places, or there is no room to show them, they may yet read alike.
 */
void cut_names(struct arena *arena, struct cut_name *names, size_t count);

/* Cuts each at its end instead, as lines of code are read: `for (name, size) in name...`. */
void cut_lines(struct arena *arena, struct cut_name *lines, size_t count);

#endif
