/*
 * What a program tells of its memory: the form that preload/ writes, inside of the program, and
 * sampler/heap_channel.c reads. A file is shared by all processes of a recording: a page as of
 * perf_event_open(2)
 * ("MMAP layout"), of which data_head and data_tail count, a page of struct heap_shared, the ring of records,
 * and then HEAP_SLOTS of struct heap_slot.
 */
#ifndef SAMPLER_HEAP_RECORD_H
#define SAMPLER_HEAP_RECORD_H

#include <linux/perf_event.h>
#include <stdint.h>

#include "sampler/registers.h"

/* The file's path, in the environment of what is recorded. */
#define HEAP_VARIABLE "CARGO_CPROF_HEAP"

#define HEAP_MAGIC UINT64_C(0x3470616568707263) /* "crpheap4" */

enum {
    HEAP_PAGE_BYTES = 4096,
    HEAP_RING_BYTES = 16 << 20,
    HEAP_NAME_BYTES = 16, /* of a program, as the kernel has it; NUL-terminated */
    HEAP_SLOTS = 16384,
    HEAP_SLOT_BYTES = 64,
    HEAP_SLOTS_OFFSET = 2 * HEAP_PAGE_BYTES + HEAP_RING_BYTES,
    HEAP_FILE_BYTES = HEAP_SLOTS_OFFSET + HEAP_SLOTS * HEAP_SLOT_BYTES,
    HEAP_MOST_STACK_BYTES = 65000, /* copied of each stack: a record's length has 16 bits */
    /*
     * Of all processes so many allocations are all told, and after that so many of each class, then half as
     * often each time that so many were.
     */
    HEAP_ALL_TOLD = 8192,
    HEAP_CLASS_TOLD = 128,
    HEAP_LEAST_STEP = 512,
    HEAP_MOST_STEP = 4096,
    HEAP_CLASSES = 48, /* by the bits of sizes; the last has all that have more */
};

/* Allocations of one class. */
struct heap_class {
    uint64_t told_count;
    uint64_t interval_bytes; /* 0: all are told */
    uint64_t next_count;     /* then the interval is doubled */
};

/* The second page. */
struct heap_shared {
    uint64_t magic;
    int32_t reader;          /* the recorder's process */
    uint32_t is_over;        /* nothing is read any more */
    uint32_t process_count;  /* that have come, so far, */
    uint32_t foreign_count;  /* and that may not, being in another PID or time namespace */
    uint64_t pid_namespace;  /* of the recorder: the inode of its /proc/self/ns/pid; 0: not known */
    uint64_t told_count;     /* allocations that were told */
    uint32_t writer;         /* the thread that writes; 0: none */
    uint64_t time_offset_ns; /* of CLOCK_MONOTONIC here from that of the records */
    uint64_t missed_count;   /* records that found no place, as another writer stayed */
    uint64_t time_namespace; /* as pid_namespace, of /proc/self/ns/time */
    uint32_t slot_count;     /* that were asked for, which may be more than there are */
    /* Programs whose own malloc comes before ours, or another allocator is not followed, and the name of the
     * first. */
    uint32_t own_malloc_count;
    char own_malloc[HEAP_NAME_BYTES];
    /* Of the program that had the most at a time of which malloc gave a quarter at most: its name, and that.
     */
    char elsewhere[HEAP_NAME_BYTES];
    uint64_t elsewhere_bytes; /* 0: none */
    uint32_t followed_count;  /* programs with an allocator of their own of which all is told */
    struct heap_class classes[HEAP_CLASSES];
};

/*
 * What a thread counts, which can be read when it had no time to tell of it: as others of its process end
 * all. Threads of one process may have it one after the other, and count on; no other program has it then.
 */
struct heap_slot {
    uint64_t given_bytes; /* all that they were given, as asked for */
    uint64_t given_count;
    int64_t kept_bytes; /* what they were given less what they took back, whoever was given that */
    uint64_t unused;
    /* Of that what records have told, and what is in those of the process: the library's own. */
    uint64_t told_bytes;
    uint64_t told_count;
    int64_t summed_bytes;
    uint32_t thread; /* that had it last */
    uint32_t next;   /* of those that no thread has: its number, from 1 on; 0: none */
};

/* perf_event_header.type: above all of the kernel's. */
enum heap_record_type { HEAP_ALLOCATED = 1000, HEAP_FREED, HEAP_COUNTED, HEAP_KEPT };

/* The start of all, and all of HEAP_FREED, and of HEAP_KEPT: that was no such thing, being refused. */
struct heap_record {
    struct perf_event_header header;
    uint64_t address; /* of the instruction that tells it */
    uint32_t pid;
    uint32_t tid;
    uint64_t time_ns; /* CLOCK_MONOTONIC; so far as of a kernel's sample */
    uint64_t pointer;
    int64_t kept_bytes; /* what the process has now, as asked for */
};

/*
 * HEAP_ALLOCATED: `stack_bytes` of the stack follow, from the stack pointer on, and up to 7 of nothing.
 * HEAP_COUNTED: what a thread was given since it told last, of which it tells nothing else: as it ends, gets
 * a slot, or there is clearly more than was told.
 */
struct heap_allocation {
    struct heap_record start;
    uint64_t size_bytes; /* as asked for, at least 1; 0 where nothing else is told */
    /*
     * In the mean one of so many bytes is picked, and tells of the allocation that it is in: of one of n
     * bytes with a probability of 1 - exp(-n / interval). 0: all are told.
     */
    uint64_t interval_bytes;
    uint64_t since_bytes; /* what the thread was given since it told last, with this */
    uint64_t since_count;
    uint64_t slot; /* of the thread, from 1 on; 0: none was left */
    struct registers registers;
    uint64_t stack_bytes;
};

#endif
