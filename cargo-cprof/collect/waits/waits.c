#include "collect/waits/waits.h"

void waits_done(struct waits *waits)
{
    pair_index_done(&waits->tids);
    vec_done(&waits->items);
}

static struct wait *wait_of(struct waits *waits, uint32_t tid)
{
    uint32_t id = pair_index_add(&waits->tids, 0, tid);

    while (id >= waits->items.count)
        *vec_add(&waits->items) = (struct wait){.state = WAIT_UNKNOWN};
    return &waits->items.items[id];
}

void waits_sample(struct waits *waits, uint32_t tid, uint64_t time_ns, uint64_t read_ns,
                  const struct held_sample *sample)
{
    struct wait *wait = wait_of(waits, tid);

    if (wait->state == WAIT_ENDED)
        return;
    waits->missed_count += wait->state == WAIT_WAITS; /* nothing told that it was back */
    *wait = (struct wait){WAIT_LEAVES, time_ns, read_ns, *sample};
}

bool waits_knows(const struct waits *waits, uint32_t tid)
{
    uint32_t id = pair_index_find(&waits->tids, 0, tid);

    return id < waits->items.count && waits->items.items[id].state != WAIT_UNKNOWN;
}

bool waits_has_sample(const struct waits *waits, uint32_t tid)
{
    uint32_t id = pair_index_find(&waits->tids, 0, tid);

    return id < waits->items.count && waits->items.items[id].state == WAIT_LEAVES;
}

void waits_leave(struct waits *waits, uint32_t tid, uint64_t time_ns, bool is_ready)
{
    struct wait *wait = wait_of(waits, tid);

    if (wait->state == WAIT_ENDED)
        return;
    wait->state = is_ready ? WAIT_READY : WAIT_WAITS;
    wait->since_ns = time_ns;
}

/* How long the thread was away within the window. */
static uint64_t away_ns(const struct wait *wait, uint64_t time_ns, struct waits_window window)
{
    uint64_t from_ns = wait->since_ns > window.from_ns ? wait->since_ns : window.from_ns;
    uint64_t to_ns = time_ns < window.until_ns ? time_ns : window.until_ns;

    return to_ns > from_ns ? to_ns - from_ns : 0;
}

/* What the thread waited of the window, in the sample; false for nothing. */
static bool end_wait(const struct wait *wait, uint64_t time_ns, struct waits_window window,
                     struct held_sample *out)
{
    enum { NS_PER_US = 1000 };
    uint64_t waited_ns = away_ns(wait, time_ns, window);
    uint64_t value = (waited_ns + NS_PER_US / 2) / NS_PER_US;

    if (waited_ns == 0)
        return false;
    *out = wait->sample;
    out->sample.time_ns = time_ns < window.until_ns ? time_ns : window.until_ns;
    out->sample.value = value > 0 ? value : 1;
    /* Nobody else calls anything on its stack. */
    out->is_doubtful = wait->read_ns == 0 || wait->read_ns >= time_ns;
    out->is_candidate = out->is_candidate && out->is_doubtful;
    return true;
}

bool waits_return(struct waits *waits, uint32_t tid, uint64_t time_ns, struct waits_window window,
                  struct held_sample *out)
{
    struct wait *wait = wait_of(waits, tid);
    bool has_waited = wait->state == WAIT_WAITS;

    waits->missed_count += wait->state == WAIT_RUNS; /* nothing told that it had left */
    if (wait->state == WAIT_READY)
        waits->ready_ns += away_ns(wait, time_ns, window);
    if (wait->state != WAIT_ENDED)
        wait->state = WAIT_RUNS;
    return has_waited && end_wait(wait, time_ns, window, out);
}

void waits_begin(struct waits *waits, uint32_t tid)
{
    wait_of(waits, tid)->state = WAIT_UNKNOWN;
}

void waits_end(struct waits *waits, uint32_t tid)
{
    wait_of(waits, tid)->state = WAIT_ENDED;
}

bool waits_take(struct waits *waits, uint64_t time_ns, struct waits_window window, struct held_sample *out)
{
    for (size_t i = 0; i < waits->items.count; i++) {
        struct wait *wait = &waits->items.items[i];

        if (wait->state == WAIT_READY) {
            waits->ready_ns += away_ns(wait, time_ns, window);
            wait->state = WAIT_UNKNOWN;
        }
        if (wait->state != WAIT_WAITS)
            continue;
        wait->state = WAIT_UNKNOWN;
        if (end_wait(wait, time_ns, window, out))
            return true;
    }
    return false;
}

void waits_forget(struct waits *waits, uint64_t lost_count)
{
    waits->missed_count += lost_count - lost_count / 2;
    for (size_t i = 0; i < waits->items.count; i++) {
        struct wait *wait = &waits->items.items[i];

        if (wait->state != WAIT_ENDED)
            wait->state = WAIT_UNKNOWN;
    }
}
