/*
 * Threads that start others again and again. Where all events of a thread are inherited, the kernel takes the
 * child's for copies of them, and changes the two sets for each other instead of stopping one and starting
 * the other when the processor goes from the one thread to the other (perf_event_context_sched_out in
 * kernel/events/core.c). With them go how much of the current period is over: the parent goes on with its
 * child's, which has all of it ahead, and the child ends with its parent's. So a thread that starts another
 * one more often than once a period would never be sampled. An event that is not inherited makes the sets
 * differ. All switches then take longer, those between the children of one parent too, so the threads of a
 * pool that was started once are left as they are.
 */
#ifndef SAMPLER_PERF_PARENTS_H
#define SAMPLER_PERF_PARENTS_H

#include "base/vec.h"
#include "sampler/perf/event.h"

struct parent {
    uint32_t tid;
    uint32_t child_count;
};

/* An event that is not inherited. */
struct parent_event {
    uint32_t tid;
    int descriptor;
};

/* Zero-initialised is none; to be released with parents_done. */
struct parents {
    VEC(struct parent) items;
    VEC(struct parent_event) events;
};

void parents_done(struct parents *parents);

/*
 * To be told of each event, in the order of time. What cannot be opened, as where too many files are, is left
 * out.
 */
void parents_note(struct parents *parents, const struct event_set *events, const struct sampler_event *event);

#endif
