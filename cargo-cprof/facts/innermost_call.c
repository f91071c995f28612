#include "facts/innermost_call.h"

bool innermost_call_is_kernels(const struct profile *profile, uint32_t stack)
{
    const struct profile_location *location =
        &profile->locations.items[profile->stacks.items[stack].location];

    return location->frame_count > 0 &&
           profile->functions.items[profile->frames.items[location->first_frame].function].category ==
               CATEGORY_KERNEL;
}
