#include "sampler/perf/order.h"

#include <stdlib.h>

#include "base/memory.h"
#include "sampler/perf/decode.h"

void order_init(struct order *order, struct ring *rings, size_t count)
{
    *order = (struct order){.rings = rings, .count = count, .taken = count};
    order->cursors = memory_new(count, sizeof(*order->cursors));
}

void order_done(struct order *order)
{
    free(order->cursors);
    *order = (struct order){0};
}

static void fill_cursor(struct order *order, size_t index)
{
    struct order_cursor *cursor = &order->cursors[index];

    cursor->record = (struct slice){0};
    if (ring_peek(&order->rings[index], &cursor->record))
        cursor->time_ns = decode_time(cursor->record);
    if (cursor->is_of_future && cursor->time_ns > order->until_ns)
        cursor->time_ns = order->until_ns;
}

/*
 * What was there in the round before is from before this one. Where it is not by far it would keep all that
 * follows in its ring, and so, for want of room, the program that writes there.
 */
static void note_future(struct order_cursor *cursor, uint64_t until_ns)
{
    const uint64_t far_ns = UINT64_C(1000000000);

    if (cursor->record.length > 0 && cursor->time_ns > until_ns && cursor->time_ns - until_ns > far_ns)
        cursor->is_of_future = true;
}

static void release_taken(struct order *order)
{
    size_t index = order->taken;

    if (index == order->count)
        return;
    order->taken = order->count;
    ring_release(&order->rings[index], order->cursors[index].record.length);
    fill_cursor(order, index);
}

void order_begin_round(struct order *order, uint64_t until_ns)
{
    release_taken(order);
    order->until_ns = until_ns;
    for (size_t i = 0; i < order->count; i++) {
        note_future(&order->cursors[i], until_ns);
        ring_begin_round(&order->rings[i]);
        fill_cursor(order, i);
    }
}

/* The ring with the oldest record of those within the time; `count` when there is none. */
static size_t oldest(const struct order *order)
{
    size_t best = order->count;

    for (size_t i = 0; i < order->count; i++) {
        const struct order_cursor *cursor = &order->cursors[i];

        if (cursor->record.length == 0 || cursor->time_ns > order->until_ns)
            continue;
        if (best == order->count || cursor->time_ns < order->cursors[best].time_ns)
            best = i;
    }
    return best;
}

bool order_next(struct order *order, struct slice *record)
{
    release_taken(order);
    order->taken = oldest(order);
    if (order->taken == order->count)
        return false;
    *record = order->cursors[order->taken].record;
    return true;
}
