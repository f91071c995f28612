/* How much of an event, which is no time, each run of two profiled programs has: a figure beside those of
 * time. */
#ifndef COMPARED_COMPARE_EVENT_H
#define COMPARED_COMPARE_EVENT_H

#include "changes/measure.h"
#include "timing/figure_rows.h"

enum { COMPARE_EVENT_MOST = 2 };

/*
 * Fills `out`, whose strings live in `arena`; `measure` is that of the parts, by what was counted or by time
 * waited. A run has as much as was counted of it, where that is known; else as much as its samples stand for,
 * and of what has no sample as much as its samples are of all. Of waits a second figure is how many there
 * were. How many figures there are, COMPARE_EVENT_MOST or fewer.
 */
size_t compare_event_find(const struct joined_part parts[JOINED_SIDES], const struct measure *measure,
                          double confidence, struct arena *arena, struct other_figure *out);

#endif
