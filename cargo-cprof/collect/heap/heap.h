/*
 * The memory that a program is given, and how long it keeps it: what was sampled of it is kept here to the
 * end of a run, as only then it is known when it had the most. A process that ends, or becomes another
 * program, has nothing any more.
 */
#ifndef COLLECT_HEAP_HEAP_H
#define COLLECT_HEAP_HEAP_H

#include "base/pair_index.h"
#include "profile/profile.h"
#include "sampler/sampler.h"

struct heap_block {
    struct profile_sample sample; /* all but its value */
    enum stack_end end;
    uint64_t interval_bytes; /* by which it was picked; 0: it stands for itself alone */
    double count;            /* with these so many allocations */
    uint64_t size_bytes;
    uint64_t freed_ns; /* UINT64_MAX: never */
    uint32_t process;
};

struct heap_process {
    uint64_t ended_ns; /* UINT64_MAX: it has not */
    /* What its threads were given but for what was told and stands for itself alone. */
    int64_t sampled_bytes; /* may be below nothing until all is told */
    int64_t sampled_count;
};

/* Where threads of a process counted, and what of that was told in the window. */
struct heap_told {
    uint32_t process; /* PROFILE_NONE: not known */
    uint64_t bytes;
    uint64_t count;
};

/* How much a process had then. */
struct heap_moment {
    uint64_t time_ns;
    uint64_t kept_bytes;
    uint32_t process;
};

/* Zero-initialised is none; to be released with heap_done. */
struct heap {
    VEC(struct heap_block) blocks; /* as they were given */
    VEC(struct heap_process) processes;
    VEC(struct heap_moment) moments; /* as they were told */
    VEC(struct heap_told) slots;     /* by number - 1 */
    struct pair_index pids;          /* 0, pid */
    VEC(uint32_t) process_of_pid;    /* the last one that had the number; PROFILE_NONE: it has ended */
    struct pair_index pointers;      /* process, pointer */
    VEC(uint32_t) block_of;          /* the last one there; PROFILE_NONE: none that we know of */
    uint64_t all_bytes;              /* that threads were given */
    uint64_t all_count;
};

enum { HEAP_NO_BLOCK = 0 };

void heap_done(struct heap *heap);

/* One was given. Its number, above HEAP_NO_BLOCK, for heap_set_stack, which is to be called once. */
uint32_t heap_give(struct heap *heap, const struct sampler_event *event, uint32_t thread);
void heap_set_stack(struct heap *heap, uint32_t block, uint32_t stack, enum stack_end end);

/* How much a thread was given without telling more of it, and what the process has: SAMPLER_COUNTED. */
void heap_count(struct heap *heap, const struct sampler_event *event);

/* What one was told of before the window: whose its slot is. */
void heap_know(struct heap *heap, const struct sampler_event *event);

/* What was there is taken back; what was given before we looked, or by another process, is none of ours. */
void heap_take(struct heap *heap, const struct sampler_event *event);

/* That was refused. */
void heap_keep(struct heap *heap, const struct sampler_event *event);

/* The process of this number has ended, unless it goes on to tell: its first thread may do so before others.
 */
void heap_end_process(struct heap *heap, uint32_t pid, uint64_t time_ns);

/* Another process has the number, or the one that has it becomes another program. */
void heap_begin_process(struct heap *heap, uint32_t pid);

#endif
