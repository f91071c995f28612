/* Names shortened to the room that there is, so that what tells functions apart stays readable. */
#ifndef PAGE_FLAME_LABEL_H
#define PAGE_FLAME_LABEL_H

#include "base/slice.h"
#include "base/text.h"

/*
 * Appends `name`, not escaped, in at most `columns` columns: all of it where it fits; else its last two parts
 * ("Vec<T>::push" of "alloc::vec::Vec<T>::push"), else those without paths in brackets ("<Vec<T> as
 * Drop>::drop" of "<alloc::vec::Vec<T> as core::ops::drop::Drop>::drop"), else the last part, else the start
 * of that with "…". Nothing in less than three columns. assets/names.js does the same when the picture is
 * zoomed.
 */
void flame_label_add(struct text *text, struct slice name, size_t columns);

/* Appends the first columns of `line`, with "…" for what goes beyond `columns`, which is at least 1. */
void flame_label_add_start(struct text *text, struct slice line, size_t columns);

#endif
