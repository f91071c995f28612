#include "view/tasks.h"

#include "base/memory.h"
#include "view/runtime_calls.h"

static bool has_path(const struct profile *profile, uint32_t function)
{
    return !slice_starts_with(profile_text(profile, profile->functions.items[function].name), SLICE("{"));
}

bool tasks_are_told(const struct profile *profile)
{
    for (size_t i = 0; i < profile->frames.count; i++)
        if (profile->frames.items[i].is_future && has_path(profile, profile->frames.items[i].function))
            return true;
    return false;
}

struct slice task_name(const struct profile *profile, uint32_t task)
{
    if (task == PROFILE_NONE)
        return SLICE("[no task]");
    return has_path(profile, task) ? profile_text(profile, profile->functions.items[task].name)
                                   : SLICE("[task without a name]");
}

/* By function, whether it is a future's that somebody wrote by hand. */
static bool *written_futures(const struct profile *profile)
{
    bool *chosen = memory_new(profile->functions.count + 1, sizeof(bool));

    for (size_t i = 0; i < profile->functions.count; i++)
        chosen[i] = slice_ends_with(profile_text(profile, profile->functions.items[i].name),
                                    SLICE(" as core::future::future::Future>::poll"));
    return chosen;
}

/* By location: the outermost of its frames that is a future's, or the innermost of the user's own. */
static uint32_t *futures_of_locations(const struct profile *profile, bool own)
{
    SCOPED(memory_free_at) bool *runtime = runtime_calls_of(profile);
    SCOPED(memory_free_at) bool *written = written_futures(profile);
    uint32_t *futures = memory_new(profile->locations.count + 1, sizeof(uint32_t));

    for (size_t at = 0; at < profile->locations.count; at++) {
        const struct profile_location *location = &profile->locations.items[at];

        futures[at] = PROFILE_NONE;
        for (uint32_t i = 0; i < location->frame_count && (!own || futures[at] == PROFILE_NONE); i++) {
            const struct profile_frame *frame = &profile->frames.items[location->first_frame + i];
            bool is_own = profile->functions.items[frame->function].category == CATEGORY_OWN;

            if ((frame->is_future || written[frame->function]) && !runtime[frame->function] &&
                (is_own || !own))
                futures[at] = frame->function;
        }
    }
    return futures;
}

uint32_t *tasks_of_stacks(const struct profile *profile)
{
    SCOPED(memory_free_at) uint32_t *of_locations = futures_of_locations(profile, false);
    uint32_t *tasks = memory_new(profile->stacks.count + 1, sizeof(uint32_t));

    /* A caller's stack has a smaller id. */
    for (size_t i = 0; i < profile->stacks.count; i++) {
        const struct profile_stack *stack = &profile->stacks.items[i];

        tasks[i] = stack->parent != PROFILE_NONE && tasks[stack->parent] != PROFILE_NONE
                       ? tasks[stack->parent]
                       : of_locations[stack->location];
    }
    return tasks;
}

uint32_t *own_futures_of_stacks(const struct profile *profile)
{
    SCOPED(memory_free_at) uint32_t *of_locations = futures_of_locations(profile, true);
    SCOPED(memory_free_at) uint32_t *tasks = tasks_of_stacks(profile);
    uint32_t *futures = memory_new(profile->stacks.count + 1, sizeof(uint32_t));

    for (size_t i = 0; i < profile->stacks.count; i++) {
        const struct profile_stack *stack = &profile->stacks.items[i];

        futures[i] = of_locations[stack->location];
        if (futures[i] == PROFILE_NONE && stack->parent != PROFILE_NONE)
            futures[i] = futures[stack->parent];
    }
    for (size_t i = 0; i < profile->stacks.count; i++)
        if (futures[i] == PROFILE_NONE)
            futures[i] = tasks[i];
    return futures;
}
