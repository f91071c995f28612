#include "sampler/perf/rings.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/compiler.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/vec.h"
#include "sampler/perf/denied.h"
#include "sampler/perf/event.h"

enum {
    /*
     * 128 whole stacks: at 1000 Hz we may wait an eighth of a second for a processor. Events that come in
     * bursts need it more: of the page faults that a program starts with, one in five was lost with 2 MiB.
     */
    USUAL_RING_BYTES = 8 << 20,
    /* Of samples that come more often than every half millisecond, so that we are not waked for a few. */
    OFTEN_HZ = 2000,
    OFTEN_RING_BYTES = 16 << 20,
    LEAST_RING_BYTES = 64 << 10,
    MOST_BYTES_IN_ALL = 32 << 20,
    PROCESSES_RING_BYTES = 128 << 10, /* a thousand mappings, names, new and ended threads */
    SWITCHES_RING_BYTES = 1 << 20,    /* 26,000 threads that come or go: none is to be lost */
    RING_FOR_WHOLE_STACKS = 256 << 10,
    LEAST_RECORDS = 8, /* about, that a small ring has room for */
};

typedef VEC(int) cpu_list;

static void cpu_list_done(cpu_list *list)
{
    vec_done(list);
}

static size_t page_bytes(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

/* How much is copied of a stack. A record takes that much room, however little there was to copy. */
static uint32_t stack_bytes_for(size_t ring_bytes)
{
    return ring_bytes < RING_FOR_WHOLE_STACKS ? (uint32_t)(ring_bytes / LEAST_RECORDS)
                                              : SAMPLER_MOST_STACK_BYTES;
}

/* Of a ring where those with samples are so large. */
static size_t bytes_of(const struct ring_use *use, size_t sampled_bytes)
{
    if (use->is_of_switches)
        return lesser(sampled_bytes, SWITCHES_RING_BYTES);
    return use->is_sampled ? sampled_bytes : lesser(sampled_bytes, PROCESSES_RING_BYTES);
}

static size_t bytes_in_all(const struct rings *rings, size_t sampled_bytes)
{
    size_t sum = 0;

    for (size_t i = 0; i < rings->count; i++)
        sum += bytes_of(&rings->uses[i], sampled_bytes);
    return sum;
}

static size_t largest_ring(const struct rings *rings, const struct sampler_request *request)
{
    size_t ring_bytes = request->frequency_hz > OFTEN_HZ ? OFTEN_RING_BYTES : USUAL_RING_BYTES;

    while (ring_bytes > LEAST_RING_BYTES && bytes_in_all(rings, ring_bytes) > MOST_BYTES_IN_ALL)
        ring_bytes /= 2;
    return ring_bytes;
}

static bool is_at_known_rate(const struct sampler_request *request)
{
    for (size_t i = 0; i < request->event_count; i++)
        if (request->events[i].period > 0 && !request->events[i].heap)
            return false;
    return request->event_count > 0 || request->period == 0;
}

/*
 * When we want to be waked. To be waked costs as much as to walk ten stacks, so where samples come at a known
 * rate it is as late as leaves us the time that a busy machine may let us wait for a processor; events that
 * are counted may come in bursts.
 */
static uint32_t watermark_for(const struct sampler_request *request, size_t ring_bytes)
{
    enum { WAIT_MS = 20, MS_PER_S = 1000 };
    uint64_t waiting_bytes = (uint64_t)request->frequency_hz * WAIT_MS / MS_PER_S * UINT16_MAX;
    uint64_t earliest = ring_bytes / 4;
    uint64_t latest = ring_bytes / 2;

    if (!is_at_known_rate(request) || waiting_bytes + earliest > ring_bytes)
        return (uint32_t)earliest;
    return (uint32_t)(waiting_bytes + latest > ring_bytes ? ring_bytes - waiting_bytes : latest);
}

static void close_first(struct rings *rings, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct ring *ring = &rings->items[i];

        munmap(ring->page, page_bytes() + ring->size_bytes);
        ring_done(ring);
        file_close_descriptor(&rings->descriptors[i]);
    }
}

/* 0, or an errno. */
static int open_one(struct rings *rings, size_t index, size_t ring_bytes)
{
    enum { OURSELVES = 0 };
    const struct ring_use *use = &rings->uses[index];
    struct perf_event_attr attributes = attributes_of_ring(use->watermark_bytes);
    int descriptor = event_open(&attributes, OURSELVES, use->cpu);
    char *memory = NULL;

    if (descriptor < 0)
        return errno;
    memory = mmap(NULL, page_bytes() + ring_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (memory == MAP_FAILED) {
        int cause = errno;

        file_close_descriptor(&descriptor);
        return cause;
    }
    rings->descriptors[index] = descriptor;
    ring_init(&rings->items[index], (struct perf_event_mmap_page *)(void *)memory, memory + page_bytes(),
              ring_bytes);
    return 0;
}

/* 0, or an errno with none open. */
static int open_all(struct rings *rings, const struct sampler_request *request, size_t sampled_bytes)
{
    rings->stack_bytes = stack_bytes_for(sampled_bytes);
    for (size_t i = 0; i < rings->count; i++) {
        struct ring_use *use = &rings->uses[i];
        size_t ring_bytes = bytes_of(use, sampled_bytes);
        int cause = 0;

        use->watermark_bytes =
            use->is_sampled ? watermark_for(request, ring_bytes) : (uint32_t)(ring_bytes / 4);
        cause = open_one(rings, i, ring_bytes);
        if (cause) {
            close_first(rings, i);
            return cause;
        }
    }
    return 0;
}

/* Whether there may be events of this processor: ENODEV says that it does not run. 0 or an errno. */
static int try_cpu(int cpu)
{
    struct perf_event_attr attributes = attributes_of_ring(0);
    SCOPED(file_close_descriptor) int descriptor = event_open(&attributes, 0, cpu);

    return descriptor < 0 ? errno : 0;
}

static int explain(int cause, struct error *err)
{
    if (cause == EACCES || cause == EPERM || cause == ENOSYS)
        return denied_explain(cause, SAMPLER_THREADS, err);
    return error_set(err, ERROR_IO, "perf_event_open: %s", strerror(cause));
}

/* Those asked for, which have to run. */
static int find_chosen(const struct sampler_request *request, cpu_list *out, struct error *err)
{
    for (size_t i = 0; i < request->cpu_count; i++) {
        int cpu = request->cpus[i];
        int cause = try_cpu(cpu);

        if (cause == ENODEV || cause == EINVAL)
            return error_set(err, ERROR_MISSING, "processor %d: there is none, or it is switched off", cpu);
        if (cause)
            return explain(cause, err);
        *vec_add(out) = cpu;
    }
    return 0;
}

/*
 * All that run. The kernel knows no number from its last one on. How many there are does not tell that: where
 * some are switched off others have numbers past their count, and without /sys the C library counts those.
 */
static int find_running(cpu_list *out, struct error *err)
{
    enum { MOST_CPUS = 8192 }; /* the most that Linux can be built for (CONFIG_NR_CPUS) */

    for (int cpu = 0; cpu < MOST_CPUS; cpu++) {
        int cause = try_cpu(cpu);

        if (cause == EINVAL && cpu > 0)
            break;
        if (!cause)
            *vec_add(out) = cpu;
        else if (cause != ENODEV)
            return explain(cause, err);
    }
    return out->count > 0 ? 0 : explain(ENODEV, err);
}

static bool is_asked_for(const struct sampler_request *request, int cpu)
{
    for (size_t i = 0; i < request->cpu_count; i++)
        if (request->cpus[i] == cpu)
            return true;
    return false;
}

/* Those that are sampled, and the others that run. */
static int find_cpus(const struct sampler_request *request, cpu_list *sampled, cpu_list *others,
                     struct error *err)
{
    SCOPED(cpu_list_done) cpu_list running = {0};

    if (request->cpu_count == 0)
        return find_running(sampled, err);
    if (find_chosen(request, sampled, err) < 0 || find_running(&running, err) < 0)
        return -1;
    for (size_t i = 0; i < running.count; i++)
        if (!is_asked_for(request, running.items[i]))
            *vec_add(others) = running.items[i];
    return 0;
}

static bool is_of_heap(const struct sampler_request *request, uint32_t kind)
{
    return kind < request->event_count && request->events[kind].heap;
}

/* The kernel tells nothing of the heap, but by its first kind what processes do. */
static bool takes_rings(const struct sampler_request *request, uint32_t kind)
{
    return kind == RING_KIND_OF_PROCESSES || !is_of_heap(request, kind);
}

/* Which rings there are to be: those of the first kind by processor, of the next, of other processors. */
static int plan(const struct sampler_request *request, size_t kind_count, struct rings *rings,
                struct error *err)
{
    SCOPED(cpu_list_done) cpu_list sampled = {0};
    SCOPED(cpu_list_done) cpu_list others = {0};
    bool needs_switches = attributes_need_switches(request);
    struct ring_use *use = NULL;

    if (find_cpus(request, &sampled, &others, err) < 0)
        return -1;
    for (uint32_t kind = 0; kind < kind_count; kind++)
        rings->count += takes_rings(request, kind) ? sampled.count : 0;
    rings->count += others.count;
    rings->uses = use = memory_new(rings->count, sizeof(*rings->uses));
    for (uint32_t kind = 0; kind < kind_count; kind++)
        for (size_t i = 0; i < sampled.count && takes_rings(request, kind); i++)
            *use++ = (struct ring_use){.cpu = sampled.items[i],
                                       .kind = kind,
                                       .is_sampled = !is_of_heap(request, kind),
                                       .is_of_switches = needs_switches && kind == kind_count - 1};
    for (size_t i = 0; i < others.count; i++)
        *use++ = (struct ring_use){.cpu = others.items[i], .kind = RING_KIND_OF_PROCESSES};
    return 0;
}

static void free_all(struct rings *rings)
{
    free(rings->items);
    free(rings->descriptors);
    free(rings->uses);
}

/* As large as may be had. */
static int open_largest(struct rings *rings, const struct sampler_request *request, struct error *err)
{
    size_t ring_bytes = largest_ring(rings, request);
    int cause = open_all(rings, request, ring_bytes);

    while ((cause == EPERM || cause == ENOMEM) && ring_bytes > LEAST_RING_BYTES) {
        ring_bytes /= 2;
        cause = open_all(rings, request, ring_bytes);
    }
    if (!cause)
        return 0;
    if (cause == EMFILE)
        return event_explain_no_room(rings->count, err);
    error_hint(err, "allow more locked memory: ulimit -l, or sysctl kernel.perf_event_mlock_kb");
    return error_set(err, ERROR_IO, "map %zu bytes of perf ring buffer: %s", ring_bytes, strerror(cause));
}

int rings_open(const struct sampler_request *request, size_t kind_count, struct rings *out, struct error *err)
{
    struct rings rings = {0};
    int result = plan(request, kind_count, &rings, err);

    if (result == 0) {
        rings.items = memory_new(rings.count + 1, sizeof(*rings.items));
        rings.descriptors = memory_new(rings.count, sizeof(*rings.descriptors));
        result = open_largest(&rings, request, err);
    }
    if (result == 0)
        *out = rings;
    else
        free_all(&rings);
    return result;
}

void rings_done(struct rings *rings)
{
    close_first(rings, rings->count);
    free_all(rings);
    *rings = (struct rings){0};
}
