#include "annotate/usual_function.h"

#include <stdlib.h>

#include "base/memory.h"
#include "profile/totals.h"

/* By function of the user's own crates, what is sampled in it, and in others' functions that it calls. */
static uint64_t *weigh_own_functions(const struct profile *profile, uint32_t series)
{
    SCOPED(memory_free_at) uint32_t *nearest = memory_new(profile->stacks.count + 1, sizeof(uint32_t));
    uint64_t *weights = memory_new(profile->functions.count + 1, sizeof(uint64_t));
    enum weight weight = weight_of_series(profile, series);
    struct sums_cursor cursor = sums_cursor_of(&profile->series.items[series].samples.sums);
    struct sample_sum sum;

    for (uint32_t i = 0; i < profile->stacks.count; i++) {
        const struct profile_stack *stack = &profile->stacks.items[i];
        const struct profile_location *location = &profile->locations.items[stack->location];

        nearest[i] = stack->parent == PROFILE_NONE ? PROFILE_NONE : nearest[stack->parent];
        for (uint32_t at = location->frame_count; at > 0; at--) {
            uint32_t function = profile->frames.items[location->first_frame + at - 1].function;

            if (profile->functions.items[function].category == CATEGORY_OWN)
                nearest[i] = function;
        }
    }
    while (sums_cursor_next(&cursor, &sum))
        if (sum.stack != PROFILE_NONE && nearest[sum.stack] != PROFILE_NONE)
            weight_add(&weights[nearest[sum.stack]], weight_of_sum(&sum, weight));
    return weights;
}

uint32_t usual_function_of(const struct profile *profile, uint32_t series)
{
    SCOPED(totals_done) struct totals totals = {0};
    SCOPED(memory_free_at) uint64_t *own = weigh_own_functions(profile, series);
    uint32_t best = 0;

    totals_compute(profile, series, weight_of_series(profile, series), &totals);
    for (uint32_t i = 1; i < profile->functions.count; i++)
        if (own[i] != own[best] ? own[i] > own[best]
                                : own[i] == 0 && totals.functions[i].self > totals.functions[best].self)
            best = i;
    return profile->functions.count > 0 && totals.functions[best].total > 0 ? best : PROFILE_NONE;
}
