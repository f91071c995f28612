#include <poll.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/memory.h"
#include "sampler/heap_channel.h"
#include "sampler/perf/decode.h"
#include "sampler/perf/event.h"
#include "sampler/perf/holders.h"
#include "sampler/perf/late_threads.h"
#include "sampler/perf/order.h"
#include "sampler/perf/parents.h"
#include "sampler/perf/takeover.h"
#include "sampler/perf/time_offset.h"
#include "sampler/sampler.h"

struct sampler {
    struct event_set events;
    struct holders holders; /* of all events, where one process may not have so many files open */
    struct rings rings;
    struct heap_channel *heap; /* borrowed; its ring is behind those; NULL: none */
    uint32_t heap_kind;        /* the first event that is of it */
    struct order order;
    struct late_threads late;
    struct parents parents;
    struct takeover takeover;
    bool is_of_threads;         /* and not of whatever runs */
    uint64_t time_offset_ns;    /* of our clock from that of the records */
    VEC(struct pollfd) polls;   /* one for each event that is no spare one; room for one more */
    size_t polled_count;        /* events that are cared for in it */
    uint64_t *told_lost_counts; /* owned; of each source */
    uint64_t damaged_count;
};

/* Events that came since are waited for, too: of two of one thread and ring one tells for both. */
static void poll_new_events(struct sampler *sampler)
{
    for (; sampler->polled_count < sampler->events.items.count; sampler->polled_count++) {
        const struct event *event = &sampler->events.items.items[sampler->polled_count];

        if (!event->is_spare)
            *vec_add(&sampler->polls) = (struct pollfd){.fd = event->descriptor, .events = POLLIN};
    }
}

/* A thread, or whatever runs. `first_id` as of holders_add. */
static int add_thread(struct sampler *sampler, pid_t thread, uint64_t *first_id, struct error *err)
{
    enum event_outcome outcome = EVENT_ADDED;
    size_t before = sampler->events.items.count;

    if (event_set_add(&sampler->events, &sampler->rings, thread, &outcome, err) < 0)
        return -1;
    if (outcome == EVENT_NO_ROOM)
        return event_explain_no_room(sampler->rings.count, err);
    *first_id = outcome == EVENT_ADDED ? sampler->events.items.items[before].id : UINT64_MAX;
    return 0;
}

/* Those of the threads that still are there. */
static int add_threads(const struct sampler_request *request, struct sampler *sampler, struct error *err)
{
    enum { ANY = -1 };
    bool has_room = request->scope != SAMPLER_THREADS ||
                    event_is_room_for(request->thread_count * (uint64_t)sampler->rings.count);
    uint64_t id = 0;

    if (request->scope == SAMPLER_MACHINE)
        return add_thread(sampler, ANY, &id, err);
    for (size_t i = 0; i < request->thread_count; i++) {
        pid_t thread = request->threads[i];

        if ((has_room
                 ? add_thread(sampler, thread, &id, err)
                 : holders_add(&sampler->holders, &sampler->events, &sampler->rings, thread, &id, err)) < 0)
            return -1;
    }
    if (sampler->events.items.count == 0 && sampler->holders.items.count == 0)
        return error_set(err, ERROR_MISSING, "the process has ended");
    return 0;
}

/*
 * Each thread that is started inherits the spare events, too, which takes it a microsecond each. Another
 * event begins its period anew, which is nothing to a clock; of what is counted some would be left out.
 */
static bool may_have_spare(const struct sampler_request *request, const struct sampler *sampler)
{
    enum { MOST_RINGS = 16 };
    const struct event_set *events = &sampler->events;

    for (size_t i = 0; i < events->kinds.count; i++)
        if (!events->kinds.items[i].attributes.freq && !events->kinds.items[i].source.heap)
            return false;
    return request->scope == SAMPLER_HELD && sampler->rings.count <= MOST_RINGS &&
           events->most_stack_bytes > events->fewer_stack_bytes &&
           sampler->rings.stack_bytes > events->fewer_stack_bytes;
}

static void begin_heap(const struct sampler_request *request, struct sampler *sampler)
{
    sampler->heap = request->heap;
    if (!sampler->heap)
        return;
    while (!sampler_source(sampler, sampler->heap_kind).heap)
        sampler->heap_kind++;
    heap_channel_begin(sampler->heap, sampler->time_offset_ns, &sampler->rings.items[sampler->rings.count]);
}

static int open_all(const struct sampler_request *request, struct sampler *sampler, struct error *err)
{
    if (rings_open(request, event_kind_count(request), &sampler->rings, err) < 0 ||
        event_set_choose(request, &sampler->events, err) < 0)
        return -1;
    if (!may_have_spare(request, sampler))
        sampler->events.fewer_stack_bytes = 0;
    if (add_threads(request, sampler, err) < 0)
        return -1;
    begin_heap(request, sampler);
    order_init(&sampler->order, sampler->rings.items, sampler->rings.count + (sampler->heap != NULL));
    sampler->told_lost_counts = memory_new(sampler->events.kinds.count, sizeof(uint64_t));
    poll_new_events(sampler);
    return 0;
}

int sampler_open(const struct sampler_request *request, struct sampler **out, struct error *err)
{
    struct sampler *sampler = memory_new(1, sizeof(*sampler));

    sampler->is_of_threads = request->scope != SAMPLER_MACHINE;
    sampler->time_offset_ns = time_offset_ns();
    if (open_all(request, sampler, err) < 0) {
        sampler_close(sampler);
        return -1;
    }
    *out = sampler;
    return 0;
}

int sampler_add_thread(struct sampler *sampler, pid_t thread, struct error *err)
{
    uint64_t first_id = 0;

    if (sampler->holders.items.count > 0) {
        if (holders_add(&sampler->holders, &sampler->events, &sampler->rings, thread, &first_id, err) < 0)
            return -1;
        late_threads_add(&sampler->late, (uint32_t)thread, first_id);
        return 0;
    }
    if (add_thread(sampler, thread, &first_id, err) < 0)
        return -1;
    late_threads_add(&sampler->late, (uint32_t)thread, first_id);
    poll_new_events(sampler);
    return 0;
}

uint32_t sampler_fewer_stack_bytes(const struct sampler *sampler)
{
    return sampler->events.fewer_stack_bytes;
}

void sampler_copy_fewer(struct sampler *sampler, bool fewer)
{
    if (sampler->events.fewer_stack_bytes > 0)
        takeover_begin(&sampler->takeover, &sampler->events, fewer);
}

void sampler_close(struct sampler *sampler)
{
    if (!sampler)
        return;
    order_done(&sampler->order);
    if (sampler->heap)
        ring_done(&sampler->rings.items[sampler->rings.count]);
    event_set_done(&sampler->events);
    holders_done(&sampler->holders);
    rings_done(&sampler->rings);
    late_threads_done(&sampler->late);
    parents_done(&sampler->parents);
    vec_done(&sampler->polls);
    free(sampler->told_lost_counts);
    free(sampler);
}

size_t sampler_source_count(const struct sampler *sampler)
{
    return sampler->events.kinds.count - sampler->events.tells_switches;
}

struct sampler_source sampler_source(const struct sampler *sampler, size_t index)
{
    return sampler->events.kinds.items[index].source;
}

/* What holders keep cannot be waited for by its own events: by the rings that these write to. */
static bool wait_for_holders(struct sampler *sampler, int descriptor, const struct timespec *timeout)
{
    sampler->polls.count = 0;
    for (size_t i = 0; i < sampler->rings.count; i++)
        *vec_add(&sampler->polls) = (struct pollfd){.fd = sampler->rings.descriptors[i], .events = POLLIN};
    for (size_t i = 0; i < sampler->holders.items.count; i++)
        if (!sampler->holders.items.items[i].is_over)
            *vec_add(&sampler->polls) =
                (struct pollfd){.fd = sampler->holders.items.items[i].socket, .events = POLLIN};
    *vec_add(&sampler->polls) = (struct pollfd){.fd = descriptor, .events = POLLIN};
    ppoll(sampler->polls.items, sampler->polls.count, timeout, NULL);
    return holders_have_any_left(&sampler->holders);
}

bool sampler_wait(struct sampler *sampler, int descriptor, int64_t timeout_us)
{
    enum { HEAP_ROUND_US = 5000 };
    size_t count = sampler->polls.count;
    struct timespec timeout;
    bool anything_left = false;
    int ready = 0;

    /* Nobody wakes us as a program waits for room. */
    if (sampler->heap && timeout_us > HEAP_ROUND_US)
        timeout_us = HEAP_ROUND_US;
    timeout = clock_time_of_us(timeout_us);
    if (sampler->holders.items.count > 0)
        return wait_for_holders(sampler, descriptor, &timeout);
    *vec_add(&sampler->polls) = (struct pollfd){.fd = descriptor, .events = POLLIN};
    sampler->polls.count = count;
    ready = ppoll(sampler->polls.items, count + 1, &timeout, NULL);
    if (ready < 0)
        return true;
    for (size_t i = 0; i < count; i++) {
        struct pollfd *event = &sampler->polls.items[i];

        /* An event hangs up once every process it counted in has ended; it is not asked again. */
        if (event->fd >= 0 && event->revents & (POLLHUP | POLLERR))
            event->fd = -1;
        anything_left = anything_left || event->fd >= 0;
    }
    return anything_left;
}

/* A program may write to the file as it likes: what it has cut off is no memory any more. */
static void look_no_more_at_cut_heap(struct sampler *sampler)
{
    if (sampler->order.count == sampler->rings.count || heap_channel_is_whole(sampler->heap))
        return;
    sampler->damaged_count++;
    order_done(&sampler->order);
    order_init(&sampler->order, sampler->rings.items, sampler->rings.count);
}

void sampler_begin_round(struct sampler *sampler, bool to_the_end)
{
    takeover_repeat(&sampler->takeover, &sampler->events);
    look_no_more_at_cut_heap(sampler);
    order_begin_round(&sampler->order, to_the_end ? UINT64_MAX : clock_now_ns() - sampler->time_offset_ns);
}

/* Whether it is told; what it tells is noted either way. */
static bool note_kernels(struct sampler *sampler, uint32_t kind, struct sampler_event *event)
{
    event->kind_index = kind;
    if (event->kind == SAMPLER_LOST && kind == sampler_source_count(sampler))
        event->kind = SAMPLER_LOST_SWITCHES;
    if (event->kind == SAMPLER_LOST)
        sampler->told_lost_counts[event->kind_index] += event->lost_count;
    if (takeover_is_told_twice(&sampler->takeover, &sampler->events, event))
        return false;
    if (sampler->is_of_threads)
        parents_note(&sampler->parents, &sampler->events, event);
    return !late_threads_are_told_twice(&sampler->late, event);
}

/* Sets `is_told` of a record that is of the form; false when it is none. */
static bool read_record(struct sampler *sampler, struct slice record, struct sampler_event *out,
                        bool *is_told)
{
    size_t ring = sampler->order.taken;
    uint32_t kind = 0;

    if (ring == sampler->rings.count) {
        out->kind_index = sampler->heap_kind;
        *is_told = heap_channel_decode(record, out);
        /* Programs may write what they like. */
        if (out->time_ns > sampler->order.until_ns)
            out->time_ns = sampler->order.until_ns;
        out->time_ns += sampler->time_offset_ns;
        return *is_told;
    }
    kind = sampler->rings.uses[ring].kind;
    if (!decode_record(record, &sampler->events.kinds.items[kind].form, out))
        return false;
    out->time_ns += sampler->time_offset_ns;
    *is_told = note_kernels(sampler, kind, out);
    return true;
}

bool sampler_next(struct sampler *sampler, struct sampler_event *out)
{
    struct slice record = {0};

    while (order_next(&sampler->order, &record)) {
        bool is_told = false;

        if (!read_record(sampler, record, out, &is_told))
            sampler->damaged_count++;
        else if (is_told)
            return true;
    }
    return false;
}

uint32_t sampler_heap_program_count(const struct sampler *sampler)
{
    return sampler->heap ? heap_channel_program_count(sampler->heap) : 0;
}

uint32_t sampler_heap_foreign_count(const struct sampler *sampler)
{
    return sampler->heap ? heap_channel_foreign_count(sampler->heap) : 0;
}

uint64_t sampler_heap_missed_count(const struct sampler *sampler)
{
    return sampler->heap ? heap_channel_missed_count(sampler->heap) : 0;
}

struct heap_elsewhere sampler_heap_elsewhere(const struct sampler *sampler)
{
    return sampler->heap ? heap_channel_elsewhere(sampler->heap) : (struct heap_elsewhere){0};
}

struct heap_slots sampler_heap_slots(const struct sampler *sampler)
{
    return sampler->heap ? heap_channel_slots(sampler->heap) : (struct heap_slots){0};
}

void sampler_begin_periods(struct sampler *sampler)
{
    event_set_begin_periods(&sampler->events);
}

struct sampler_counts sampler_counts(struct sampler *sampler, size_t source)
{
    struct sampler_counts counts = {0};
    bool is_known = false;

    if (sampler->holders.items.count > 0)
        is_known = holders_count(&sampler->holders, (uint32_t)source, &counts);
    else
        is_known = event_set_count(&sampler->events, (uint32_t)source, &counts);
    if (!is_known || !event_set_tells_lost(&sampler->events, (uint32_t)source))
        counts.lost = sampler->told_lost_counts[source];
    return counts;
}

uint64_t sampler_damaged_count(const struct sampler *sampler)
{
    uint64_t count = sampler->damaged_count;
    size_t ring_count = sampler->rings.count + (sampler->heap != NULL);

    for (size_t i = 0; i < ring_count; i++)
        count += sampler->rings.items[i].damaged_count;
    return count;
}
