#include "record/event_list.h"

#include <linux/perf_event.h>
#include <string.h>

#include "sampler/perf/event_name.h"

#define TRACING "/sys/kernel/tracing"

bool event_is_clock(const struct sampler_event_kind *event)
{
    return slice_is(slice_of(event->unit), "ns");
}

bool event_is_of_time(const struct sampler_event_kind *event)
{
    return event_is_clock(event) || slice_is(slice_of(event->unit), "cycles");
}

/*
 * What software counts is sampled each so many times: the kernel finds a period for a frequency by guessing,
 * and what samples then say they stand for is far from what happened. Faults come so many at once that there
 * is no room for a sample of each. Programs make them in turn, one in what they read and one in what they
 * write: of every 10th, rounds of two or five would show one place alone. A prime is in step with no short
 * round.
 */
static uint64_t usual_period(const struct sampler_event_kind *event)
{
    enum { FAULTS = 11 };
    bool is_software = event->type == PERF_TYPE_SOFTWARE;
    bool is_place = event->type == PERF_TYPE_TRACEPOINT || event->type == PERF_TYPE_BREAKPOINT;

    if (is_software &&
        (event->config == PERF_COUNT_SW_PAGE_FAULTS || event->config == PERF_COUNT_SW_PAGE_FAULTS_MIN))
        return FAULTS;
    return (is_software && !event_is_clock(event)) || is_place;
}

/* Of waits there is none to be left out, and of memory the program tells as much as is good. */
static bool has_own_rate(const struct sampler_event_kind *event)
{
    return event->is_waits || event->heap;
}

/*
 * How often the events are sampled. A count given is that of what is counted, and a clock's where nothing
 * else is: 3 page faults are not 3 nanoseconds.
 */
static void set_periods(struct sampler_request *sampling, struct sampler_event_kind *events)
{
    bool has_others = false;

    for (size_t i = 0; i < sampling->event_count; i++)
        has_others = has_others || !(event_is_clock(&events[i]) || has_own_rate(&events[i]));
    for (size_t i = 0; i < sampling->event_count; i++)
        events[i].period = sampling->period == 0 || has_own_rate(&events[i]) ? usual_period(&events[i])
                           : event_is_clock(&events[i]) && has_others        ? 0
                                                                             : sampling->period;
}

/* One more event, named in `name`. */
static int add_event(struct arena *arena, struct sampler_request *sampling, struct slice name,
                     struct error *err)
{
    struct sampler_event_kind *events =
        ARENA_ARRAY(arena, sampling->event_count + 1, struct sampler_event_kind);

    for (size_t i = 0; i < sampling->event_count; i++)
        events[i] = sampling->events[i];
    if (event_name_read(arena, name, TRACING, &events[sampling->event_count], err) < 0)
        return -1;
    for (size_t i = 0; i < sampling->event_count; i++)
        if (strcmp(events[i].name, events[sampling->event_count].name) == 0)
            return error_set(err, ERROR_USAGE, "--event %s is given twice", events[i].name);
    sampling->events = events;
    sampling->event_count++;
    set_periods(sampling, events);
    return 0;
}

/* What is sampled where nothing is asked for, that more may be sampled beside it. */
static void name_usual(struct arena *arena, struct sampler_request *sampling)
{
    struct sampler_event_kind *usual = NULL;

    if (sampling->event_count > 0)
        return;
    usual = ARENA_ARRAY(arena, 1, struct sampler_event_kind);
    *usual = (struct sampler_event_kind){.name = "cpu-clock", .unit = "ns", .is_usual = true};
    sampling->events = usual;
    sampling->event_count = 1;
}

int event_list_add_waits(struct arena *arena, struct sampler_request *sampling, struct error *err)
{
    for (size_t i = 0; i < sampling->event_count; i++)
        if (sampling->events[i].is_waits)
            return 0;
    name_usual(arena, sampling);
    return add_event(arena, sampling, SLICE(EVENT_OF_WAITS), err);
}

/* All that there is of the heap, but for what is named already. */
static int add_all_of_heap(struct arena *arena, struct sampler_request *sampling, struct error *err)
{
    const char *name = NULL;

    for (unsigned heap = SAMPLER_HEAP_PEAK; (name = event_name_of_heap((enum sampler_heap)heap)); heap++) {
        bool is_named = false;

        for (size_t i = 0; i < sampling->event_count; i++)
            is_named = is_named || sampling->events[i].heap == heap;
        if (!is_named && add_event(arena, sampling, slice_of(name), err) < 0)
            return -1;
    }
    return 0;
}

int event_list_add_heap(struct arena *arena, struct sampler_request *sampling, struct error *err)
{
    name_usual(arena, sampling);
    return add_all_of_heap(arena, sampling, err);
}

static int add_named(struct arena *arena, struct sampler_request *sampling, struct slice name,
                     struct error *err)
{
    return slice_is(name, "heap") ? add_all_of_heap(arena, sampling, err)
                                  : add_event(arena, sampling, name, err);
}

int event_list_add(struct arena *arena, struct sampler_request *sampling, struct slice list,
                   struct error *err)
{
    size_t end = 0;

    do {
        end = slice_find_byte(list, ',');
        if (add_named(arena, sampling, slice_range(list, 0, end), err) < 0)
            return -1;
        list = slice_range(list, end + 1, list.length);
    } while (list.length > 0);
    return 0;
}
