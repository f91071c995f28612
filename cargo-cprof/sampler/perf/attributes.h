/* What perf_event_open(2) is asked for: one event, as good as this machine and our rights allow. */
#ifndef SAMPLER_PERF_ATTRIBUTES_H
#define SAMPLER_PERF_ATTRIBUTES_H

#include <linux/perf_event.h>
#include <stdbool.h>

#include "sampler/sampler.h"

/* PERF_FORMAT_LOST of read_format, since Linux 6.0: headers of before do not have it. */
enum { READ_FORMAT_LOST = 1 << 4 };

/* What all events of a sampler have in common. */
struct attributes_wish {
    const struct sampler_request *request;
    uint32_t stack_bytes;     /* copied of each stack: a multiple of 8; 0: none */
    uint32_t watermark_bytes; /* of a ring: being waked when so much is in it */
};

/*
 * The attributes that `event` is sampled with. Only those that `tells_processes` tell of mappings, names,
 * new and ended threads: one event of each thread is enough.
 */
struct perf_event_attr attributes_of(const struct attributes_wish *wish,
                                     const struct sampler_event_kind *event, bool tells_processes);

/*
 * What such an event tells without its samples: of mappings, names, new and ended threads, of an event that
 * never happens.
 */
struct perf_event_attr attributes_of_processes_alone(const struct perf_event_attr *sampled);

/* Whether one of the events takes SAMPLER_SWITCH to be told. */
bool attributes_need_switches(const struct sampler_request *request);

/* Of an event that never happens and tells of them. */
struct perf_event_attr attributes_of_switches(const struct sampler_request *request);

/* Of an event that never happens, and only owns a ring: being waked when so much is in it. */
struct perf_event_attr attributes_of_ring(uint32_t watermark_bytes);

/*
 * Takes out of the attributes of `event` what this machine may not know or not allow, after perf_event_open
 * gave `cause`.
 * False when nothing is left to try.
 */
bool attributes_ask_for_less(struct perf_event_attr *attributes, const struct sampler_request *request,
                             const struct sampler_event_kind *event, int cause);

#endif
