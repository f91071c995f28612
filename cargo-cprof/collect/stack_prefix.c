#include "collect/stack_prefix.h"

void stack_prefix_done(struct stack_prefix *prefix)
{
    vec_done(&prefix->steps);
}

uint32_t stack_prefix_add(struct stack_prefix *prefix, struct profile *profile,
                          const struct unwind_frame *frames, size_t count)
{
    uint32_t stack = PROFILE_NONE;
    size_t same = 0;

    while (same < count && same < prefix->steps.count &&
           prefix->steps.items[same].location == frames[count - 1 - same].place)
        stack = prefix->steps.items[same++].stack;
    prefix->steps.count = same;
    for (size_t i = count - same; i > 0; i--) {
        stack = profile_stack(profile, stack, frames[i - 1].place);
        *vec_add(&prefix->steps) = (struct stack_step){frames[i - 1].place, stack};
    }
    return stack;
}
