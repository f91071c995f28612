#include "drawn_profile.h"

#include <stdlib.h>

#include "emit/output.h"

void drawn_profile_make(struct profile *profile)
{
    static const enum output_format formats[] = {OUTPUT_FLAME, OUTPUT_FOLDED, OUTPUT_TEXT};
    SCOPED(text_done) struct text out = {0};
    const struct output_look look = {0};
    struct error err = {0};

    for (uint32_t i = 0; i < profile->series.count; i++)
        for (size_t format = 0; format < ARRAY_COUNT(formats); format++)
            if (output_add(&out, profile, i, formats[format], &look, &err) < 0)
                abort();
}
