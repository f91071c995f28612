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

/*
 * By function, whether an executor polls a spawned task in it. LocalSet of tokio and the executors of smol
 * and async-std are futures themselves: what is outside of it drives the task and does not await it.
 */
static bool *task_starts(const struct profile *profile)
{
    static const char *const types[] = {"tokio::runtime::task::harness::Harness<",
                                        "async_task::raw::RawTask<"};
    static const char *const methods[] = {">::poll", ">::run"};
    bool *chosen = memory_new(profile->functions.count + 1, sizeof(bool));

    for (size_t i = 0; i < profile->functions.count; i++) {
        struct slice name = profile_text(profile, profile->functions.items[i].name);

        /* v0 names begin an impl with it. */
        slice_skip(&name, SLICE("<"));
        for (size_t j = 0; j < ARRAY_COUNT(types); j++)
            if (slice_starts_with(name, slice_of(types[j])) && slice_ends_with(name, slice_of(methods[j])))
                chosen[i] = true;
    }
    return chosen;
}

/* What the frames of a location tell, behind the innermost that starts a task. */
struct place_futures {
    uint32_t outermost; /* function; PROFILE_NONE where there is none */
    uint32_t own;       /* the innermost that is the user's own */
    bool starts_task;
};

/* By location; to be freed. */
static struct place_futures *futures_of_places(const struct profile *profile)
{
    SCOPED(memory_free_at) bool *runtime = runtime_calls_of(profile);
    SCOPED(memory_free_at) bool *written = written_futures(profile);
    SCOPED(memory_free_at) bool *starts = task_starts(profile);
    struct place_futures *places = memory_new(profile->locations.count + 1, sizeof(*places));

    for (size_t at = 0; at < profile->locations.count; at++) {
        const struct profile_location *location = &profile->locations.items[at];
        struct place_futures *place = &places[at];

        *place = (struct place_futures){.outermost = PROFILE_NONE, .own = PROFILE_NONE};
        for (uint32_t i = location->frame_count; i-- > 0;) {
            const struct profile_frame *frame = &profile->frames.items[location->first_frame + i];
            uint32_t function = frame->function;

            if (starts[function])
                *place = (struct place_futures){PROFILE_NONE, PROFILE_NONE, .starts_task = true};
            if ((!frame->is_future && !written[function]) || runtime[function])
                continue;
            if (place->outermost == PROFILE_NONE)
                place->outermost = function;
            if (profile->functions.items[function].category == CATEGORY_OWN)
                place->own = function;
        }
    }
    return places;
}

static uint32_t *tasks_of(const struct profile *profile, const struct place_futures *places)
{
    uint32_t *tasks = memory_new(profile->stacks.count + 1, sizeof(uint32_t));

    /* A caller's stack has a smaller id. */
    for (size_t i = 0; i < profile->stacks.count; i++) {
        const struct profile_stack *stack = &profile->stacks.items[i];
        const struct place_futures *place = &places[stack->location];
        bool is_in_task =
            !place->starts_task && stack->parent != PROFILE_NONE && tasks[stack->parent] != PROFILE_NONE;

        tasks[i] = is_in_task ? tasks[stack->parent] : place->outermost;
    }
    return tasks;
}

uint32_t *tasks_of_stacks(const struct profile *profile)
{
    SCOPED(memory_free_at) struct place_futures *places = futures_of_places(profile);

    return tasks_of(profile, places);
}

uint32_t *own_futures_of_stacks(const struct profile *profile)
{
    SCOPED(memory_free_at) struct place_futures *places = futures_of_places(profile);
    SCOPED(memory_free_at) uint32_t *tasks = tasks_of(profile, places);
    uint32_t *futures = memory_new(profile->stacks.count + 1, sizeof(uint32_t));

    for (size_t i = 0; i < profile->stacks.count; i++) {
        const struct profile_stack *stack = &profile->stacks.items[i];
        const struct place_futures *place = &places[stack->location];

        futures[i] = place->own;
        if (futures[i] == PROFILE_NONE && !place->starts_task && stack->parent != PROFILE_NONE)
            futures[i] = futures[stack->parent];
    }
    for (size_t i = 0; i < profile->stacks.count; i++)
        if (futures[i] == PROFILE_NONE)
            futures[i] = tasks[i];
    return futures;
}
