#include "collect/held_samples.h"

#include <string.h>

/* So many wait at most: 4 MiB. */
enum { MOST_HELD = 1 << 16 };

void held_samples_done(struct held_samples *held)
{
    vec_done(&held->items);
    vec_done(&held->scratch);
    held->first = 0;
}

/* The stack of the innermost `count` frames alone. */
static uint32_t innermost(struct held_samples *held, struct profile *profile, uint32_t stack, uint32_t count)
{
    uint32_t cut = PROFILE_NONE;

    held->scratch.count = 0;
    for (uint32_t id = stack; id != PROFILE_NONE && held->scratch.count < count;
         id = profile->stacks.items[id].parent)
        *vec_add(&held->scratch) = profile->stacks.items[id].location;
    for (size_t i = held->scratch.count; i > 0; i--)
        cut = profile_stack(profile, cut, held->scratch.items[i - 1]);
    return cut;
}

/* Of a stack that is taken back. */
static enum stack_end end_without(const struct outer_candidate *candidate)
{
    if (candidate->is_of_handler)
        return STACK_CUT_HANDLER;
    return candidate->crossing_count > 0 ? STACK_CUT_SWITCH : STACK_CUT_CHANGED;
}

static void add(struct held_samples *held, struct profile *profile, struct held_sample item,
                enum outer_verdict verdict)
{
    struct profile_series *series = &profile->series.items[item.series];

    held->standing_count += item.is_candidate && verdict == OUTER_KEEP;
    if (item.is_candidate && verdict == OUTER_TAKE_BACK) {
        held->taken_count++;
        item.sample.stack = innermost(held, profile, item.sample.stack, item.known_count);
        item.end = end_without(&item.candidate);
    }
    if (item.block != HEAP_NO_BLOCK) {
        heap_set_stack(held->heap, item.block, item.sample.stack, item.end);
        return;
    }
    if (item.end < STACK_END_COUNT)
        series->ended_counts[item.end]++;
    profile_add_sample(profile, item.series, item.sample);
}

void held_samples_doubt(struct held_samples *held, uint32_t from_round)
{
    for (size_t i = held->first; i < held->items.count; i++)
        if (held->items.items[i].candidate.round >= from_round)
            held->items.items[i].is_doubtful = true;
}

void held_samples_settle(struct held_samples *held, struct profile *profile, const struct outer *outer,
                         bool is_final)
{
    while (held->first < held->items.count) {
        const struct held_sample *item = &held->items.items[held->first];
        bool is_forced = is_final || held->items.count - held->first > MOST_HELD;
        enum outer_verdict verdict = !item->is_candidate ? OUTER_KEEP
                                     : item->is_doubtful ? OUTER_TAKE_BACK
                                                         : outer_verdict(outer, &item->candidate, is_forced);

        if (verdict == OUTER_OPEN)
            break;
        add(held, profile, *item, verdict);
        held->first++;
    }
    if (held->first * 2 < held->items.count)
        return;
    held->items.count -= held->first;
    if (held->items.count > 0)
        memmove(held->items.items, held->items.items + held->first,
                held->items.count * sizeof(*held->items.items));
    held->first = 0;
}

void held_samples_add(struct held_samples *held, struct profile *profile, const struct outer *outer,
                      const struct held_sample *sample)
{
    if (held->items.count == 0 && !sample->is_candidate) {
        add(held, profile, *sample, OUTER_KEEP);
        return;
    }
    *vec_add(&held->items) = *sample;
    if (held->items.count - held->first > MOST_HELD)
        held_samples_settle(held, profile, outer, false);
}
