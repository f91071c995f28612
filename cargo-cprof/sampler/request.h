/* What a sampler is asked for: which threads, which events, how often. */
#ifndef SAMPLER_REQUEST_H
#define SAMPLER_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct heap_channel;

/* Memory of the program, what is done to which is an event of its own: PERF_TYPE_BREAKPOINT. */
struct sampler_breakpoint {
    uint64_t address;
    uint64_t length_bytes;
    uint32_t access; /* HW_BREAKPOINT_R, _W, _X (linux/hw_breakpoint.h) */
};

enum { SAMPLER_MOST_PRECISE = 3 };

/* What of the memory that a program is given: it is told by the program, through `sampler_request.heap`. */
enum sampler_heap {
    SAMPLER_HEAP_NONE,
    SAMPLER_HEAP_PEAK,  /* bytes that it has when it has the most */
    SAMPLER_HEAP_END,   /* bytes that it has when it ends */
    SAMPLER_HEAP_BYTES, /* that it is given in all */
    SAMPLER_HEAP_COUNT, /* how often */
};

/* Something that can be sampled; perf_event_open(2) has the numbers. Names are constant or outlive the
 * sampler. */
struct sampler_event_kind {
    const char *name; /* "cycles", "page-faults", "sched:sched_switch" */
    const char *unit; /* of sample_raw.period: "cycles", "ns" */
    uint32_t type;
    uint64_t config;
    struct sampler_breakpoint watched; /* of a breakpoint */
    uint64_t period; /* one sample each time it happened so often; 0: by the request's frequency */
    uint8_t precise; /* how near to the instruction: 0 to SAMPLER_MOST_PRECISE */
    bool is_usual;   /* what is sampled where no event is asked for: "cycles" where the machine counts them,
                        else "cpu-clock"; only `period` counts */
    bool is_waits;   /* a sample each time a thread leaves its processor, and SAMPLER_SWITCH is told; what
                        it is to stand for, how long the thread was away, is the caller's to find out */
    enum sampler_heap heap; /* SAMPLER_ALLOCATED and SAMPLER_FREED are told, with the number of the first such
                               event; what is made of them is the caller's */
    bool is_most_precise;   /* as near as the machine has it, however near */
    bool is_user_only;      /* asked for without the kernel's part */
    bool is_kernel_only;    /* asked for without the program's own */
};

enum sampler_scope {
    SAMPLER_HELD,    /* a process that is held before its exec, from there on, and all that come from it */
    SAMPLER_THREADS, /* threads that run, and all that come from them */
    SAMPLER_MACHINE, /* whatever runs on some processors */
};

enum sampler_kernel {
    SAMPLER_KERNEL_IF_ALLOWED,
    SAMPLER_KERNEL_NEVER,
    SAMPLER_KERNEL_ALWAYS, /* it is a failure when it is not allowed */
};

enum sampler_stacks {
    SAMPLER_STACKS_COPIED,         /* registers and a copy of the stack, to be walked by unwind information */
    SAMPLER_STACKS_FRAME_POINTERS, /* the calls that the kernel finds by frame pointers */
    SAMPLER_STACKS_NONE,           /* only where the program was */
};

enum {
    SAMPLER_MOST_STACK_BYTES = 65528, /* the kernel's limit: a record's length has 16 bits */
    SAMPLER_MOST_CALLS = 4096,        /* ours, for the same reason */
};

#define SAMPLER_MOST_OFTEN UINT32_MAX /* a frequency: as high as the kernel allows */

/* All borrowed for as long as the sampler is open. */
struct sampler_request {
    enum sampler_scope scope;
    const pid_t *threads; /* of SAMPLER_HELD the process, one */
    size_t thread_count;
    const int *cpus; /* of SAMPLER_MACHINE; none: all */
    size_t cpu_count;
    const struct sampler_event_kind
        *events; /* none: "cycles" where the machine counts them, else "cpu-clock" */
    size_t event_count;
    struct heap_channel *heap; /* of SAMPLER_HELD, where events are of the heap; NULL: none are */
    enum sampler_kernel kernel;
    enum sampler_stacks stacks;
    uint32_t
        most_stack_bytes; /* copied of each stack: a multiple of 8 up to SAMPLER_MOST_STACK_BYTES; 0: that */
    uint32_t fewer_stack_bytes; /* of SAMPLER_HELD: what sampler_copy_fewer may change to; 0: nothing */
    uint16_t most_calls; /* found by frame pointers, with the kernel's; up to sampler_most_calls, 0: that */
    uint32_t
        frequency_hz; /* samples a second of an event without a period; fewer where no more are allowed */
    uint64_t period;  /* as an event's, for the one that is taken where none is given */
};

#endif
