#include "view/percent_limit.h"

#include "base/units.h"

void percent_limit_tell(size_t left_out, double least_share, const char *of, struct rows *rows)
{
    SCOPED(text_done) struct text note = {0};

    rows_add_fact(rows, "left-out", left_out);
    if (left_out == 0)
        return;
    units_add_things(&note, left_out, rows->noun);
    text_format(&note, " below %g%% of %s %s left out; --percent-limit 0 shows all", 100 * least_share, of,
                left_out == 1 ? "is" : "are");
    *vec_add(&rows->notes) = arena_copy(&rows->arena, text_slice(&note));
}
