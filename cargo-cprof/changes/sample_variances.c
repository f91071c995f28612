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

void sample_variances_find(const struct joined_part parts[JOINED_SIDES], enum joined_side side,
                           struct profile *joined, struct run_variances *out)
{
    uint32_t series = profile_add_series(joined, (struct slice){0}, (struct slice){0}, 0);
    size_t count = joined->functions.count;
    struct totals totals;

    *out = (struct run_variances){
        .self = memory_new(count + 1, sizeof(double)),
        .total = memory_new(count + 1, sizeof(double)),
    };
    joined->series.items[series].heap = parts[side].profile->series.items[parts[side].series].heap;
    take_variances(parts, side, joined, series);
    totals_compute(joined, series, WEIGHT_VALUE, &totals);
    out->without_stack = (double)totals.without_stack;
    for (size_t i = 0; i < count; i++) {
        out->self[i] = (double)totals.functions[i].self;
        out->total[i] = (double)totals.functions[i].total;
    }
    totals_done(&totals);
    sample_sums_done(&joined->series.items[series].samples.sums);
}
