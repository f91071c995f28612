#include "view/percent_limit.h"

#include <stdlib.h>

#include "base/units.h"

int percent_limit_read(const char *text, double *out, struct error *err)
{
    char *end = NULL;
    double share = strtod(text, &end) / 100;

    if (*text == '\0' || *end != '\0' || !(share >= 0 && share <= 1))
        return error_set(err, ERROR_USAGE, "--percent-limit %s: not a percentage", text);
    *out = share;
    return 0;
}

void percent_limit_tell(size_t left_out, double least_share, const char *of, struct rows *rows)
{
    SCOPED(text_done) struct text note = {0};

    rows_add_fact(rows, "left-out", left_out);
    if (left_out == 0)
        return;
    units_add_things(&note, left_out, rows->noun);
    text_format(&note, " below %g%% of %s are left out; --percent-limit 0 shows all", 100 * least_share, of);
    *vec_add(&rows->notes) = arena_copy(&rows->arena, text_slice(&note));
}
