#include "hints/recursion.h"

#include <stdlib.h>

#include "base/memory.h"

void recursion_init(struct recursion *recursion, const struct profile *profile)
{
    *recursion = (struct recursion){
        .profile = profile,
        .counts = memory_new(profile->functions.count + 1, sizeof(*recursion->counts)),
    };
}

void recursion_done(struct recursion *recursion)
{
    free(recursion->counts);
}

/*
 * The function that was called there, not one that is inlined into it. PROFILE_NONE: nobody knows any, or it
 * has no name; such code may be many functions, of which none calls itself.
 */
static uint32_t called_at(const struct profile *profile, uint32_t stack)
{
    const struct profile_location *location =
        &profile->locations.items[profile->stacks.items[stack].location];
    uint32_t function = PROFILE_NONE;

    if (location->frame_count == 0)
        return PROFILE_NONE;
    function = profile->frames.items[location->first_frame + location->frame_count - 1].function;
    return profile->functions.items[function].why_unnamed == PROFILE_NO_STRING ? function : PROFILE_NONE;
}

void recursion_see(struct recursion *recursion, uint32_t stack)
{
    uint32_t function = called_at(recursion->profile, stack);

    if (function == PROFILE_NONE || ++recursion->counts[function] <= recursion->depth)
        return;
    recursion->depth = recursion->counts[function];
    recursion->deepest = function;
}

void recursion_end_stack(struct recursion *recursion, uint32_t stack)
{
    const struct profile *profile = recursion->profile;

    for (; stack != PROFILE_NONE; stack = profile->stacks.items[stack].parent) {
        uint32_t function = called_at(profile, stack);

        if (function != PROFILE_NONE)
            recursion->counts[function] = 0;
    }
    recursion->depth = 0;
}
