#include "sampler/perf/ring.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { LONGEST_RECORD = UINT16_MAX };

void ring_init(struct ring *ring, struct perf_event_mmap_page *page, const char *data, uint64_t size_bytes)
{
    *ring = (struct ring){.page = page, .data = data, .size_bytes = size_bytes};
    ring->at = page->data_tail;
    ring->end = ring->at;
    ring->joined = memory_new(LONGEST_RECORD + 1, 1);
}

void ring_done(struct ring *ring)
{
    free(ring->joined);
    *ring = (struct ring){0};
}

void ring_begin_round(struct ring *ring)
{
    /* Pairs with the kernel's barrier: the records are there before the head that counts them. */
    ring->end = __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE);
}

static void give_back_to(struct ring *ring, uint64_t at)
{
    ring->at = at;
    __atomic_store_n(&ring->page->data_tail, at, __ATOMIC_RELEASE);
}

/* `length` bytes from `at` on, in one piece. */
static const char *in_one_piece(struct ring *ring, size_t length)
{
    uint64_t start = ring->at & (ring->size_bytes - 1);
    uint64_t to_the_end = ring->size_bytes - start;

    if (length <= to_the_end)
        return ring->data + start;
    memcpy(ring->joined, ring->data + start, to_the_end);
    memcpy(ring->joined + to_the_end, ring->data, length - to_the_end);
    return ring->joined;
}

/*
 * Has the processor fetch the next record while this one is looked at: another one wrote it, and to wait for
 * each of its lines in turn takes longer than all else that is done with it. Records of samples are of one
 * size; at their start are the registers and the innermost calls, at their end how much of the stack was
 * copied.
 */
static void fetch_next(const struct ring *ring, uint64_t length)
{
    enum { LINE_BYTES = 64, MOST_BYTES = 4096 };
    uint64_t next = ring->at + length;
    uint64_t most = length < MOST_BYTES ? length : MOST_BYTES;

    if (ring->end - next < length)
        return;
    for (uint64_t at = next; at < next + most; at += LINE_BYTES)
        __builtin_prefetch(ring->data + (at & (ring->size_bytes - 1)));
    __builtin_prefetch(ring->data + ((next + length - 1) & (ring->size_bytes - 1)));
}

bool ring_peek(struct ring *ring, struct slice *record)
{
    struct perf_event_header header;
    uint64_t available = ring->end - ring->at;

    if (available == 0)
        return false;
    if (available >= sizeof(header) && available <= ring->size_bytes && ring->at % 8 == 0) {
        memcpy(&header, in_one_piece(ring, sizeof(header)), sizeof(header));
        if (header.size >= sizeof(header) && header.size <= available && header.size % 8 == 0) {
            *record = (struct slice){in_one_piece(ring, header.size), header.size};
            fetch_next(ring, header.size);
            return true;
        }
    }
    ring->damaged_count++;
    give_back_to(ring, ring->end);
    return false;
}

void ring_release(struct ring *ring, size_t length)
{
    give_back_to(ring, ring->at + length);
}
