/* What a sampler tells of one moment: a sample, or what a process did. */
#ifndef SAMPLER_SAMPLE_H
#define SAMPLER_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/slice.h"
#include "sampler/registers.h"

enum sampler_kind {
    SAMPLER_SAMPLE,
    SAMPLER_MAPPING,
    SAMPLER_NAME,
    SAMPLER_FORK,
    SAMPLER_EXIT,
    SAMPLER_LOST,
    SAMPLER_SWITCH,        /* a thread has come to a processor or left it */
    SAMPLER_LOST_SWITCHES, /* some of these found no room */
    SAMPLER_ALLOCATED,     /* a sample of the memory that the program is given */
    SAMPLER_FREED,         /* such memory is taken back, */
    SAMPLER_KEPT,          /* which was refused after all */
    SAMPLER_COUNTED,       /* of what a thread was given to its end how much there was */
    SAMPLER_CALLS,         /* the program's calls of samples before */
    SAMPLER_THROTTLED,     /* the kernel slowed the sampling down for a while */
    SAMPLER_OTHER,         /* nothing that concerns us */
};

struct sample_raw {
    uint64_t address; /* the instruction that was interrupted */
    uint64_t period;  /* how much of the event the sample stands for */
    uint32_t cpu;
    bool in_kernel;             /* `address` is the kernel's */
    bool has_registers;         /* not so for kernel threads, 32-bit programs and processes that are ending */
    bool stack_is_cut;          /* the copy is as long as copies may be */
    struct slice kernel_calls;  /* the calls in the kernel: uint64_t each, see sample_kernel_call */
    struct slice user_calls;    /* those of the program, by frame pointers, where that was asked for */
    uint64_t later_calls;       /* the number of what tells those (struct sample_calls); 0: nothing does */
    struct registers registers; /* of the program, also when the kernel was interrupted */
    struct slice stack;         /* from the stack pointer on */
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
    bool is_of_path;       /* its build id is what was told of its path, and not of this file */
    uint64_t device;       /* of the file: its major number above the minor one, 32 bits each, */
    uint64_t inode;        /* and the number there; 0 when unknown, as where there is a build id */
    uint64_t generation;   /* of the inode: a number that is used again has another one; 0 when unknown */
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

enum { SAMPLE_MOST_LATER_CALLS = 510 }; /* as many fit into a page of the kernel's (struct unwind_cache) */

/* The calls of samples of the thread that have this number, from the interrupted instruction on. */
struct sample_calls {
    uint64_t number;
    struct slice user_calls;
};

struct sample_switch {
    bool is_out;
    bool is_ready; /* it has left as others had to run, and would have gone on */
};

/* Memory that the program is given; of what is taken back the pointer alone, of what is counted all else but
 * the size. */
struct sample_heap {
    uint64_t pointer;
    int64_t kept_bytes;      /* what the process has by then, as the C library tells; may be below nothing */
    uint64_t size_bytes;     /* as asked for, at least 1 */
    uint64_t interval_bytes; /* its chance to be told was 1 - exp(-size / interval); 0: all are told */
    uint64_t since_bytes;    /* all that the thread was given since its last one, with this */
    uint64_t since_count;
    uint64_t slot; /* where the thread counts (struct heap_slots), from 1 on; 0: nowhere */
};

/* What threads of one program counted that had a slot one after the other, told or not. */
struct heap_counts {
    uint64_t given_bytes;
    uint64_t given_count;
    uint64_t kept_bytes; /* signed: others may take back what these were given */
};

/* Programs that have memory from elsewhere than malloc. NUL-terminated names; empty: there is none. */
struct heap_elsewhere {
    char own_malloc[16]; /* that brings one of its own */
    char program[16];    /* that had `bytes` at its end, of which malloc gave a quarter at most */
    uint64_t bytes;
    bool is_followed; /* an allocator is linked into one, and tells as malloc does */
};

/* By slot; of `start_count` what they had as the window began, of others nothing. Borrowed. */
struct heap_slots {
    const struct heap_counts *at_start;
    const struct heap_counts *at_end;
    size_t start_count;
    size_t count;
    bool lacks_some; /* a thread had none */
};

struct sampler_event {
    enum sampler_kind kind;
    uint64_t time_ns; /* CLOCK_MONOTONIC, as of clock_now_ns */
    uint32_t pid;     /* of a fork the new process, of an exit the ending one */
    uint32_t tid;
    uint64_t event_id; /* of the kernel's events which one told of it; of an inherited one the number of the
                          event that was opened. What is opened later has a higher one. */
    struct sample_heap heap; /* beside the sample, whose period is 0 */
    uint32_t kind_index;     /* of what was sampled: which of the events asked for */
    union {
        struct sample_raw sample;
        struct sample_mapping mapping;
        struct sample_name name;
        struct sample_fork fork;
        struct sample_switch switched;
        struct sample_calls calls;
        uint64_t lost_count; /* records that found no room */
    };
};

#endif
