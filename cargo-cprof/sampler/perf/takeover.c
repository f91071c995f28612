#include "sampler/perf/takeover.h"

#include <sys/ioctl.h>

#include "base/clock.h"

/* Those that are in a thread by inheritance, too. */
static void turn(const struct event_set *set, bool is_spare, unsigned long request)
{
    for (size_t i = 0; i < set->items.count; i++)
        if (set->items.items[i].is_spare == is_spare)
            ioctl(set->items.items[i].descriptor, request, 0);
}

void takeover_begin(struct takeover *takeover, const struct event_set *set, bool is_of_spare)
{
    enum { ROUNDS = 3 };

    /* Who was about to inherit one that was off when it was turned on is mostly among them the next time. */
    turn(set, is_of_spare, PERF_EVENT_IOC_ENABLE);
    turn(set, is_of_spare, PERF_EVENT_IOC_ENABLE);
    *takeover = (struct takeover){is_of_spare, clock_now_ns(), ROUNDS};
    turn(set, !is_of_spare, PERF_EVENT_IOC_DISABLE);
}

void takeover_repeat(struct takeover *takeover, const struct event_set *set)
{
    if (takeover->again == 0)
        return;
    takeover->again--;
    turn(set, takeover->is_of_spare, PERF_EVENT_IOC_ENABLE);
    turn(set, !takeover->is_of_spare, PERF_EVENT_IOC_DISABLE);
}

static bool is_spare(const struct event_set *set, uint64_t id)
{
    for (size_t i = 0; i < set->items.count; i++)
        if (set->items.items[i].id == id)
            return set->items.items[i].is_spare;
    return false;
}

bool takeover_is_told_twice(const struct takeover *takeover, const struct event_set *set,
                            const struct sampler_event *event)
{
    enum { AROUND_NS = 100000 };
    bool is_since = event->time_ns > takeover->changed_ns;
    uint64_t away_ns =
        is_since ? event->time_ns - takeover->changed_ns : takeover->changed_ns - event->time_ns;

    /* What is lost, and that all was slowed down, is told of the ring and by one event alone. */
    if (takeover->changed_ns == 0 || event->kind == SAMPLER_LOST || event->kind == SAMPLER_THROTTLED)
        return false;
    if (event->kind != SAMPLER_SAMPLE && away_ns < AROUND_NS)
        return false;
    return is_spare(set, event->event_id) != (takeover->is_of_spare == is_since);
}
