#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "sampler/perf/decode.h"
#include "sampler/perf/event.h"
#include "sampler/perf/order.h"
#include "sampler/sampler.h"

enum {
    MOST_RING_BYTES = 8 << 20, /* 128 whole stacks: at 1000 Hz we may wait an eighth of a second for a CPU */
    LEAST_RING_BYTES = 64 << 10,
    MOST_BYTES_IN_ALL = 32 << 20,
    RING_FOR_WHOLE_STACKS = 256 << 10,
    WHOLE_STACK_BYTES = 65528, /* the kernel's most */
    SMALL_STACK_BYTES = 16 << 10,
};

struct sampler {
    struct event_set events;
    struct ring *rings; /* owned; one for each event */
    size_t ring_count;  /* those that are mapped */
    struct order order;
    struct pollfd *polls; /* owned; one for each event and one for the caller's descriptor */
    uint64_t told_lost_count;
    uint64_t damaged_count;
};

static uint64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000U + (uint64_t)now.tv_nsec;
}

static size_t page_bytes(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

static void unmap_rings(struct sampler *sampler)
{
    for (size_t i = 0; i < sampler->ring_count; i++) {
        struct ring *ring = &sampler->rings[i];

        munmap(ring->page, page_bytes() + ring->size_bytes);
        ring_done(ring);
    }
    sampler->ring_count = 0;
}

/* 0, or an errno with nothing mapped. */
static int map_rings(struct sampler *sampler, size_t ring_bytes)
{
    for (size_t i = 0; i < sampler->events.count; i++) {
        char *memory = mmap(NULL, page_bytes() + ring_bytes, PROT_READ | PROT_WRITE, MAP_SHARED,
                            sampler->events.items[i].descriptor, 0);

        if (memory == MAP_FAILED) {
            int cause = errno;

            unmap_rings(sampler);
            return cause;
        }
        ring_init(&sampler->rings[i], (struct perf_event_mmap_page *)(void *)memory, memory + page_bytes(),
                  ring_bytes);
        sampler->ring_count++;
    }
    return 0;
}

/* How much is copied of a stack: at least eight copies find room in a ring. */
static uint32_t stack_bytes_for(size_t ring_bytes)
{
    return ring_bytes < RING_FOR_WHOLE_STACKS ? SMALL_STACK_BYTES : WHOLE_STACK_BYTES;
}

static size_t largest_ring(void)
{
    long cpu_count = sysconf(_SC_NPROCESSORS_CONF);
    size_t ring_bytes = MOST_RING_BYTES;

    while (ring_bytes > LEAST_RING_BYTES && (size_t)cpu_count * ring_bytes > MOST_BYTES_IN_ALL)
        ring_bytes /= 2;
    return ring_bytes;
}

/* Events and rings of this size. 0, or -1; `is_too_large` then tells whether smaller rings may do. */
static int open_with(struct sampler *sampler, const struct sampler_request *request, size_t ring_bytes,
                     bool *is_too_large, struct error *err)
{
    struct event_wish wish = {
        .pid = request->pid,
        .frequency_hz = request->frequency_hz,
        .stack_bytes = stack_bytes_for(ring_bytes),
        .watermark_bytes = (uint32_t)(ring_bytes / 4),
    };
    int cause = 0;

    *is_too_large = false;
    if (event_set_open(&wish, &sampler->events, err) < 0)
        return -1;
    sampler->rings = memory_new(sampler->events.count, sizeof(*sampler->rings));
    cause = map_rings(sampler, ring_bytes);
    if (!cause)
        return 0;
    *is_too_large = cause == EPERM || cause == ENOMEM;
    event_set_done(&sampler->events);
    free(sampler->rings);
    sampler->rings = NULL;
    error_hint(err, "allow more locked memory: ulimit -l, or sysctl kernel.perf_event_mlock_kb");
    return error_set(err, ERROR_IO, "map %zu bytes of perf ring buffer: %s", ring_bytes, strerror(cause));
}

int sampler_open(const struct sampler_request *request, struct sampler **out, struct error *err)
{
    struct sampler *sampler = memory_new(1, sizeof(*sampler));
    bool is_too_large = true;
    struct error last = {0};
    int result = -1;

    for (size_t bytes = largest_ring(); is_too_large && bytes >= LEAST_RING_BYTES; bytes /= 2)
        result = open_with(sampler, request, bytes, &is_too_large, &last);
    if (result < 0) {
        free(sampler);
        *err = last;
        return -1;
    }
    order_init(&sampler->order, sampler->rings, sampler->ring_count);
    sampler->polls = memory_new(sampler->events.count + 1, sizeof(*sampler->polls));
    for (size_t i = 0; i < sampler->events.count; i++)
        sampler->polls[i] = (struct pollfd){.fd = sampler->events.items[i].descriptor, .events = POLLIN};
    *out = sampler;
    return 0;
}

void sampler_close(struct sampler *sampler)
{
    if (!sampler)
        return;
    unmap_rings(sampler);
    order_done(&sampler->order);
    event_set_done(&sampler->events);
    free(sampler->rings);
    free(sampler->polls);
    free(sampler);
}

struct sampler_source sampler_source(const struct sampler *sampler)
{
    return sampler->events.source;
}

bool sampler_wait(struct sampler *sampler, int descriptor, int timeout_ms)
{
    size_t count = sampler->events.count;
    bool anything_left = false;

    sampler->polls[count] = (struct pollfd){.fd = descriptor, .events = POLLIN};
    if (poll(sampler->polls, count + 1, timeout_ms) < 0)
        return true;
    for (size_t i = 0; i < count; i++) {
        struct pollfd *event = &sampler->polls[i];

        /* An event hangs up once every process it counted in has ended; it is not asked again. */
        if (event->fd >= 0 && event->revents & (POLLHUP | POLLERR))
            event->fd = -1;
        anything_left = anything_left || event->fd >= 0;
    }
    return anything_left;
}

void sampler_look(struct sampler *sampler, bool to_the_end)
{
    order_look(&sampler->order, to_the_end ? UINT64_MAX : now_ns());
}

bool sampler_next(struct sampler *sampler, struct sampler_event *out)
{
    struct slice record = {0};

    while (order_next(&sampler->order, &record)) {
        if (decode_record(record, out)) {
            if (out->kind == SAMPLER_LOST)
                sampler->told_lost_count += out->lost_count;
            return true;
        }
        sampler->damaged_count++;
    }
    return false;
}

uint64_t sampler_lost_count(const struct sampler *sampler)
{
    uint64_t counted = 0;

    return event_set_lost_count(&sampler->events, &counted) ? counted : sampler->told_lost_count;
}

uint64_t sampler_damaged_count(const struct sampler *sampler)
{
    uint64_t count = sampler->damaged_count;

    for (size_t i = 0; i < sampler->ring_count; i++)
        count += sampler->rings[i].damaged_count;
    return count;
}
