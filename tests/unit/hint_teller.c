#include "hint_teller.h"

#include "hints/hints.h"
#include "profile_builder.h"

void tell(const char *path, uint64_t count, struct text *out)
{
    struct profile profile;

    profile_builder_init(&profile);
    profile_builder_add(&profile, 0, slice_of(path), count);
    profile_builder_add(&profile, 0, SLICE("own a main > own a compute"), WHOLE - count);
    hints_add(out, &profile, 0);
    profile_done(&profile);
}

bool has(const struct text *text, const char *part)
{
    return slice_find(text_slice(text), slice_of(part)) < text->length;
}
