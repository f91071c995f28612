/* Which events are sampled, and how often each of them where nobody says. */
#ifndef RECORD_EVENT_LIST_H
#define RECORD_EVENT_LIST_H

#include "base/arena.h"
#include "base/error.h"
#include "base/slice.h"
#include "sampler/request.h"

/*
 * Adds the events of a list with commas between, as perf calls them; "heap" is all that there is of the heap.
 * What is added lives in `arena`; the request's `period` is to be set before. Returns 0, or -1 with
 * ERROR_USAGE when one is there already, or as of event_name_read.
 */
MUST_CHECK int event_list_add(struct arena *arena, struct sampler_request *sampling, struct slice list,
                              struct error *err);

/* The same of waits, and of the heap, beside what is sampled where no event is named; where they are there
 * already nothing is added. */
MUST_CHECK int event_list_add_waits(struct arena *arena, struct sampler_request *sampling, struct error *err);
MUST_CHECK int event_list_add_heap(struct arena *arena, struct sampler_request *sampling, struct error *err);

/* Whether it is a clock, whose period is in nanoseconds. */
bool event_is_clock(const struct sampler_event_kind *event);

/* Whether its samples stand for time on a processor, or for its cycles, and not for something that is
 * counted. */
bool event_is_of_time(const struct sampler_event_kind *event);

#endif
