#include "diffed/libtest_benchmarks.h"

#include "base/memory.h"

/* Where a call is. */
enum place { PLACE_OUTSIDE, PLACE_HARNESS, PLACE_BENCHMARK };

/* "lt::b_f", and not how it is called: "<lt::b_f::{closure#0} as core::ops::function::FnOnce<..>>::call_once"
 */
static bool may_be_benchmark(const struct profile_function *function, struct slice name)
{
    return function->category != CATEGORY_STD && !slice_starts_with(name, SLICE("<")) &&
           !slice_has(name, SLICE("{closure"));
}

static enum place place_of_call(const struct profile *profile, enum place caller,
                                const struct profile_function *function)
{
    struct slice name = profile_text(profile, function->name);

    if (caller == PLACE_OUTSIDE)
        return slice_starts_with(name, SLICE("test::bench::benchmark")) ? PLACE_HARNESS : PLACE_OUTSIDE;
    return caller == PLACE_HARNESS && !may_be_benchmark(function, name) ? PLACE_HARNESS : PLACE_BENCHMARK;
}

size_t libtest_benchmarks_count(const struct profile *profile)
{
    SCOPED(memory_free_at) unsigned char *places = memory_new(profile->stacks.count + 1, 1);
    SCOPED(memory_free_at) bool *is_counted = memory_new(profile->functions.count + 1, sizeof(bool));
    size_t count = 0;

    for (size_t i = 0; i < profile->stacks.count; i++) {
        const struct profile_stack *stack = &profile->stacks.items[i];
        const struct profile_location *location = &profile->locations.items[stack->location];
        enum place place = stack->parent == PROFILE_NONE ? PLACE_OUTSIDE : (enum place)places[stack->parent];

        for (uint32_t frame = location->frame_count; frame-- > 0;) {
            uint32_t function = profile->frames.items[location->first_frame + frame].function;
            enum place called = place_of_call(profile, place, &profile->functions.items[function]);

            if (called == PLACE_BENCHMARK && place == PLACE_HARNESS && !is_counted[function]) {
                is_counted[function] = true;
                count++;
            }
            place = called;
        }
        places[i] = (unsigned char)place;
    }
    return count;
}
