/*
 * Events of more threads than one process may have files open for: RLIMIT_NOFILE counts by process
 * (getrlimit(2)), so processes of ours each keep the events of some threads, as many as they have room for.
 * The events write to our rings, and the threads that come are inherited as ever. A holder ends when we do,
 * and when it is asked to; signals that are blocked where holders are started are blocked in them.
 */
#ifndef SAMPLER_PERF_HOLDERS_H
#define SAMPLER_PERF_HOLDERS_H

#include "sampler/perf/event.h"

struct holder {
    pid_t pid;
    int socket;   /* requests there, answers here; it also tells once when all its threads have ended */
    bool is_over; /* they have, or it is gone */
    bool is_full;
};

/* Zero-initialised is none; to be released with holders_done. */
struct holders {
    VEC(struct holder) items;
};

/*
 * Watches one more thread, as of event_set_add, in a new holder where the others are full. `set` has the
 * kinds and no events of its own. Returns 0 with the id of the first of its events in `first_id`, UINT64_MAX
 * when the thread is gone, or -1 as of sampler_open.
 */
MUST_CHECK int holders_add(struct holders *holders, const struct event_set *set, const struct rings *rings,
                           pid_t thread, uint64_t *first_id, struct error *err);

/* As event_set_count. */
bool holders_count(struct holders *holders, uint32_t kind, struct sampler_counts *out);

/* Whether a thread that is watched, or one that came from it, has not ended. Told with a delay below 1 s. */
bool holders_have_any_left(struct holders *holders);

void holders_done(struct holders *holders);

#endif
