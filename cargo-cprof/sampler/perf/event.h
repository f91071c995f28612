/* Asking the kernel for samples: perf_event_open(2), for each thread and kind one event a processor. */
#ifndef SAMPLER_PERF_EVENT_H
#define SAMPLER_PERF_EVENT_H

#include "base/vec.h"
#include "sampler/perf/attributes.h"
#include "sampler/perf/decode.h"
#include "sampler/perf/rings.h"

/*
 * perf_event_open(2) with the descriptor closed on exec; raises the limit of open files where it takes that,
 * as far as it goes. -1 and errno. `pid` 0 is us, -1 any.
 */
int event_open(struct perf_event_attr *attributes, pid_t pid, int cpu);

/* What is sampled, and how the kernel is asked for it. */
struct event_kind {
    struct sampler_source source;
    struct perf_event_attr attributes;
    struct decode_form form;   /* of their records */
    uint32_t most_stack_bytes; /* copied of each stack, if the set has no fewer */
};

struct event {
    uint64_t id; /* the kernel's: sampler_event.event_id */
    int descriptor;
    uint32_t kind;
    bool is_spare; /* copies fewer bytes of a stack: in its place or off, see takeover.h */
};

/* To be released with event_set_done. Zero-initialised is empty. */
struct event_set {
    VEC(struct event_kind) kinds;
    bool tells_switches; /* by its last kind, which is no source: that never happens */
    VEC(struct event) items;
    uint32_t most_stack_bytes;  /* copied of each stack, where the rings have room for it */
    uint32_t fewer_stack_bytes; /* by spare events; 0: there are none, as where one could not be opened */
};

/*
 * Finds out how each event of the request can be had, the kernel's part where that is allowed. Returns 0 or
 * -1 as of sampler_open; nothing is watched yet.
 */
MUST_CHECK int event_set_choose(const struct sampler_request *request, struct event_set *out,
                                struct error *err);

enum event_outcome {
    EVENT_ADDED,
    EVENT_THREAD_GONE, /* there is no such thread any more */
    EVENT_NO_ROOM,     /* no more files may be open in this process */
};

/*
 * Watches one thread (-1: whatever runs) on all processors of the rings, as these are used, its samples sent
 * to them. Nothing was added where the outcome is another than EVENT_ADDED. Returns 0 or -1 as of
 * sampler_open.
 */
MUST_CHECK int event_set_add(struct event_set *set, const struct rings *rings, pid_t thread,
                             enum event_outcome *outcome, struct error *err);

/* How many kinds of rings it takes: one for each event of the request, and one for switches if any needs
 * them.
 */
size_t event_kind_count(const struct sampler_request *request);

/* Whether so many files more may be open, with some for everything else; raises the limit for it. */
bool event_is_room_for(uint64_t count);

/* What EVENT_NO_ROOM means where one thread takes so many events; is -1. */
int event_explain_no_room(size_t count, struct error *err);

/* What clocks that have a frequency counted towards their next sample is nothing from now on: it is a whole
 * period away. Not of threads that were started since they were added. */
void event_set_begin_periods(const struct event_set *set);

void event_set_done(struct event_set *set);

/* Whether the kernel counts what is lost of a kind: not before Linux 6.0. */
bool event_set_tells_lost(const struct event_set *set, uint32_t kind);

/* What the kernel counts of a kind; false, with `out` untouched, where it cannot be read. */
bool event_set_count(const struct event_set *set, uint32_t kind, struct sampler_counts *out);

#endif
