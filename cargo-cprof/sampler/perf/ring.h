/*
 * The memory that the kernel writes records into and we read from (perf_event_open(2), "MMAP layout"):
 * `data_head` is the kernel's, `data_tail` ours. What we have not released is never written over.
 */
#ifndef SAMPLER_PERF_RING_H
#define SAMPLER_PERF_RING_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/slice.h"

struct ring {
    struct perf_event_mmap_page *page; /* borrowed */
    const char *data;                  /* borrowed; `size_bytes` of it, a power of two */
    uint64_t size_bytes;
    uint64_t at;  /* first byte not released */
    uint64_t end; /* past the last byte that ring_begin_round saw */
    char *joined; /* owned; a record that goes over the end of the memory, in one piece */
    uint64_t damaged_count;
};

/* `data` starts on an 8-byte boundary. To be released with ring_done. */
void ring_init(struct ring *ring, struct perf_event_mmap_page *page, const char *data, uint64_t size_bytes);

void ring_done(struct ring *ring);

/* Takes notice of what the kernel has written by now. */
void ring_begin_round(struct ring *ring);

/*
 * The oldest record, its header included, valid until it is released; its length is that of its header, at
 * least the header's and a multiple of 8. False when there is none. What is no record is counted as damage
 * and released, with all that follows it so far.
 */
bool ring_peek(struct ring *ring, struct slice *record);

/* Gives the memory of the oldest record, which has this length, back to the kernel. */
void ring_release(struct ring *ring, size_t length);

#endif
