#include "account/owner.h"

#include <stdbool.h>

static bool is_constant(uint32_t owner)
{
    return owner == OWNER_NONE || owner == OWNER_SHARED || owner == OWNER_PADDING;
}

uint32_t owner_of_group(const struct owner_space *space, uint32_t group)
{
    return is_constant(group) ? group : space->function_count + group;
}

uint32_t owner_group(const struct owner_space *space, uint32_t owner)
{
    if (is_constant(owner))
        return owner;
    return owner < space->function_count ? space->group_of[owner] : owner - space->function_count;
}

uint32_t owner_join(const struct owner_space *space, uint32_t one, uint32_t other)
{
    if (one == other || other == OWNER_NONE)
        return one;
    if (one == OWNER_NONE)
        return other;
    if (one == OWNER_SHARED || other == OWNER_SHARED || owner_group(space, one) != owner_group(space, other))
        return OWNER_SHARED;
    return owner_of_group(space, owner_group(space, one));
}
