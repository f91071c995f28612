#include "changes/sample_variances.h"

#include "base/memory.h"
#include "changes/heap_spread.h"
#include "profile/totals.h"

static uint64_t square(uint64_t value)
{
    return value <= UINT32_MAX ? value * value : UINT64_MAX;
}

/* Of each of the side's samples its variance, as the only samples of series `to`. */
static void take_variances(const struct joined_part parts[JOINED_SIDES], enum joined_side side,
                           struct profile *joined, uint32_t to)
{
    const struct joined_part *part = &parts[side];
    struct sample_sums *sums = &joined->series.items[to].samples.sums;
    struct sample_cursor cursor = sample_cursor_of(&part->profile->series.items[part->series].samples);
    uint32_t first_stack = side == JOINED_AFTER ? (uint32_t)parts[JOINED_BEFORE].profile->stacks.count : 0;
    struct heap_spread spread = {&part->profile->series.items[part->series], part->profile->run_count, 0};
    struct profile_sample sample;

    while (sample_cursor_next(&cursor, &sample)) {
        uint32_t stack = sample.stack == PROFILE_NONE ? PROFILE_NONE : sample.stack + first_stack;

        sample_sums_add(sums,
                        (struct sample_sum){.stack = stack,
                                            .count = 1,
                                            .value = spread.series->heap ? heap_spread_next(&spread, &sample)
                                                                         : square(sample.value)});
    }
    sample_cursor_done(&cursor);
    sample_sums_settle(sums);
}

/*
 * What memory was given in all is counted, and samples were made to add up to that, in proportion to their
 * variances (collect/heap/heap.h): a part is known the better the more of all it is. Of several processes,
 * each of which adds up, that is no less than what is left. Of a moment the sum is not as exact.
 */
static double left_of(double variance, double all, enum heap_event heap)
{
    if (heap != HEAP_EVENT_BYTES && heap != HEAP_EVENT_COUNT)
        return variance;
    return variance < all ? variance * (1 - variance / all) : 0;
}

void sample_variances_find(const struct joined_part parts[JOINED_SIDES], enum joined_side side,
                           struct profile *joined, struct run_variances *out)
{
    uint32_t series = profile_add_series(joined, (struct slice){0}, (struct slice){0}, 0);
    size_t count = joined->functions.count;
    enum heap_event heap = parts[side].profile->series.items[parts[side].series].heap;
    struct totals totals;

    *out = (struct run_variances){
        .self = memory_new(count + 1, sizeof(double)),
        .total = memory_new(count + 1, sizeof(double)),
    };
    joined->series.items[series].heap = heap;
    take_variances(parts, side, joined, series);
    totals_compute(joined, series, WEIGHT_VALUE, &totals);
    out->without_stack = left_of((double)totals.without_stack, (double)totals.whole, heap);
    for (size_t i = 0; i < count; i++) {
        out->self[i] = left_of((double)totals.functions[i].self, (double)totals.whole, heap);
        out->total[i] = left_of((double)totals.functions[i].total, (double)totals.whole, heap);
    }
    totals_done(&totals);
    sample_sums_done(&joined->series.items[series].samples.sums);
}
