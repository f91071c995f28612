#include "rust/dropped_type.h"

#include "base/compiler.h"

struct slice dropped_type(struct slice name)
{
    static const struct slice starts[] = {SLICE("core::ptr::drop_in_place::<"),
                                          SLICE("core::ptr::drop_in_place<")};

    for (size_t i = 0; i < ARRAY_COUNT(starts); i++)
        if (slice_starts_with(name, starts[i]) && slice_ends_with(name, SLICE(">")))
            return slice_range(name, starts[i].length, name.length - 1);
    return (struct slice){0};
}
