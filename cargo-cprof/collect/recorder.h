/* A recording while it goes on, as the files of this folder see it that take events; nobody else does. */
#ifndef COLLECT_RECORDER_H
#define COLLECT_RECORDER_H

#include "collect/catch_up.h"
#include "collect/copies.h"
#include "collect/heap/heap.h"
#include "collect/heap/programs.h"
#include "collect/held_samples.h"
#include "collect/kernel_calls.h"
#include "collect/known_rules.h"
#include "collect/outside.h"
#include "collect/patience.h"
#include "collect/recorded_threads.h"
#include "collect/sampled_modules.h"
#include "collect/stack_prefix.h"
#include "collect/waits/earlier.h"
#include "collect/waits/waits.h"
#include "process/machine_code/call_sites.h"
#include "process/machine_code/made.h"
#include "process/modules.h"
#include "process/processes.h"
#include "process/system_call.h"
#include "sampler/sampler.h"

struct recorder {
    struct profile *profile; /* borrowed */
    struct modules modules;
    struct processes processes;
    struct unwinder unwinder;
    struct recorded_threads threads;
    struct outer outer; /* by the first of the profile's threads that a thread was */
    struct held_samples held;
    struct waits waits;
    struct earlier_waits earlier_waits;
    struct heap heap;
    struct heap_programs heap_programs; /* of this run */
    VEC(enum sampler_heap) heap_kinds;  /* by event: what of the heap it is */
    uint32_t waits_kind;                /* which of the events they are; UINT32_MAX: none */
    struct stack_prefix prefix;
    struct known_rules rules;
    struct sampled_modules sampled;
    struct kernel_calls kernel_calls;
    struct outside outside;
    struct checked_calls checked;
    struct made_code made_code;
    struct known_system_calls system_calls;
    uint32_t first_series; /* of the first event; those of the others follow */
    uint64_t from_ns;      /* samples from before */
    uint64_t until_ns;     /* or since are not kept */
    uint64_t last_time_ns;
    uint64_t last_event_ns;
    uint64_t throttled_count;
    struct catch_up catch_up;
    bool has_lost; /* samples, in this run */
    enum sampler_stacks stacks;
    uint16_t most_calls;
    struct patience patience;
    struct copies copies;
    const struct process_space *space; /* of the sample that is being walked */
};

/* What the event is a sample of, but for its stack and what it stands for. */
struct held_sample recorder_begin_sample(struct recorder *recorder, const struct sampler_event *event);

/* Adds it, whose stack is known by now, to the series of the sampler's event of that index. */
void recorder_add_sample(struct recorder *recorder, uint32_t kind, struct held_sample *held);

#endif
