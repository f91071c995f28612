/* Asking the kernel for samples: perf_event_open(2), one event a processor, inherited by what is started. */
#ifndef SAMPLER_PERF_EVENT_H
#define SAMPLER_PERF_EVENT_H

#include <stddef.h>

#include "sampler/sampler.h"

struct event_wish {
    pid_t pid; /* held before its exec */
    uint32_t frequency_hz;
    uint32_t stack_bytes;     /* copied of each stack: a multiple of 8 */
    uint32_t watermark_bytes; /* of a ring: being waked when so much is in it */
};

/* One event: of one processor. */
struct event {
    int descriptor;
    int cpu;
};

/* To be released with event_set_done. */
struct event_set {
    struct event *items; /* owned; at least one */
    size_t count;
    struct sampler_source source;
};

/*
 * Opens an event on each processor that runs: "cycles" where the machine counts them, else "cpu-clock"; with
 * the kernel's part where that is allowed. Returns 0 or -1: ERROR_DENIED when the system does not allow it,
 * ERROR_IO for anything else.
 */
MUST_CHECK int event_set_open(const struct event_wish *wish, struct event_set *out, struct error *err);

void event_set_done(struct event_set *set);

/* How many records all rings had no room for, as the kernel counts them; false before Linux 6.0. */
bool event_set_lost_count(const struct event_set *set, uint64_t *out);

#endif
