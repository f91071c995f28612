/*
 * Samples of running programs and what happens to their processes, one stream in the order of time.
 * The stacks are copies as they were when the sample was taken, and borrowed from the sampler.
 */
#ifndef SAMPLER_SAMPLER_H
#define SAMPLER_SAMPLER_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/error.h"
#include "base/slice.h"
#include "sampler/registers.h"
#include "sampler/request.h"

enum sampler_kind {
    SAMPLER_SAMPLE,
    SAMPLER_MAPPING,
    SAMPLER_NAME,
    SAMPLER_FORK,
    SAMPLER_EXIT,
    SAMPLER_LOST,
    SAMPLER_THROTTLED, /* the kernel slowed the sampling down for a while */
    SAMPLER_OTHER,     /* nothing that concerns us */
};

struct sample_raw {
    uint64_t address;  /* the instruction that was interrupted */
    uint64_t period;   /* how much of the event the sample stands for */
    uint64_t event_id; /* which event took it, by the kernel's number; of an inherited one the number of the
                          event that was opened. What is opened later has a higher one. */
    uint32_t cpu;
    bool in_kernel;             /* `address` is the kernel's */
    struct slice kernel_calls;  /* the calls in the kernel: uint64_t each, see sample_kernel_call */
    struct slice user_calls;    /* those of the program, by frame pointers, where that was asked for */
    bool has_registers;         /* not so for kernel threads, 32-bit programs and processes that are ending */
    struct registers registers; /* of the program, also when the kernel was interrupted */
    struct slice stack;         /* from the stack pointer on */
    bool stack_is_cut;          /* the copy is as long as copies may be */
};

/* How many calls in the kernel are known; 0 when it was not interrupted, or only `address` is known. */
size_t sample_kernel_call_count(const struct sample_raw *sample);

/* The same of the program's calls. */
size_t sample_user_call_count(const struct sample_raw *sample);
uint64_t sample_user_call(const struct sample_raw *sample, size_t index);

/* The innermost is number 0: the instruction interrupted; of the others one byte before a return address. */
uint64_t sample_kernel_call(const struct sample_raw *sample, size_t index);

/* Memory that shows a file and may be executed. */
struct sample_mapping {
    uint64_t start_avma;
    uint64_t size_bytes;
    uint64_t file_offset;
    struct slice build_id; /* raw bytes; empty when unknown */
    uint64_t device;       /* of the file: its major number above the minor one, 32 bits each, */
    uint64_t inode;        /* and the number there; 0 when unknown, as where there is a build id */
    struct slice path;     /* "[vdso]", "//anon" and the like for no file */
};

struct sample_name {
    struct slice name; /* of the thread */
    bool is_exec;      /* the process runs another program from here on */
};

struct sample_fork {
    uint32_t parent_pid; /* the same as `pid` for a new thread */
    uint32_t parent_tid;
};

struct sampler_event {
    enum sampler_kind kind;
    uint64_t time_ns; /* CLOCK_MONOTONIC, as of clock_now_ns */
    uint32_t pid;     /* of a fork the new process, of an exit the ending one */
    uint32_t tid;
    uint32_t kind_index; /* of what was sampled: which of the events asked for */
    union {
        struct sample_raw sample;
        struct sample_mapping mapping;
        struct sample_name name;
        struct sample_fork fork;
        uint64_t lost_count; /* records that found no room */
    };
};

/* One of the events that are sampled. */
struct sampler_source {
    const char *event;
    const char *unit;      /* of sample_raw.period */
    uint32_t frequency_hz; /* 0: not by frequency */
    bool is_user_only;     /* the kernel's own part is not sampled */
    bool is_denied;        /* that is so because a right is missing */
};

struct sampler; /* opaque */

/*
 * Begins to watch: of SAMPLER_HELD once the program is let go, else at once, so that some is seen before the
 * rest; mappings, names and new threads are told from there on, too. Returns 0 and a sampler to be closed
 * with sampler_close, or -1: ERROR_DENIED when the system does not allow it (the hint says what does),
 * ERROR_MISSING when the machine has no such event, or no thread is left, ERROR_IO for anything else.
 */
MUST_CHECK int sampler_open(const struct sampler_request *request, struct sampler **out, struct error *err);

/*
 * Watches one more thread of SAMPLER_THREADS, from now on. Returns 0, also when there is no such thread any
 * more; -1 as of sampler_open.
 */
MUST_CHECK int sampler_add_thread(struct sampler *sampler, pid_t thread, struct error *err);

/* NULL is let pass. */
void sampler_close(struct sampler *sampler);

size_t sampler_source_count(const struct sampler *sampler);
struct sampler_source sampler_source(const struct sampler *sampler, size_t index);

/*
 * Sleeps until much has been recorded, `timeout_ms` have passed, or `descriptor` is readable (-1: none).
 * Returns whether there is anything left to record: false when all processes have ended.
 */
bool sampler_wait(struct sampler *sampler, int descriptor, int timeout_ms);

/*
 * Makes what was recorded up to this moment available to sampler_next. With `to_the_end` even what is of a
 * later moment: for the last call, after all has ended.
 */
void sampler_begin_round(struct sampler *sampler, bool to_the_end);

/* The next event, valid until the following call on this sampler. False when there are no more for now. */
bool sampler_next(struct sampler *sampler, struct sampler_event *out);

/* What the kernel counts of a source from the start, of the threads that have ended, too. */
struct sampler_counts {
    uint64_t happened; /* how often the event happened, ns for a clock; 0 where it is not known */
    uint64_t lost;     /* records that found no room, those that no event has told of included */
};

struct sampler_counts sampler_counts(struct sampler *sampler, size_t source);

/* Records that were not of the kernel's form; the rest of what a ring held then is skipped. */
uint64_t sampler_damaged_count(const struct sampler *sampler);

#endif
