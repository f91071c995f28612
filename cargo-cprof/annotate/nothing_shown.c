#include "annotate/nothing_shown.h"

#include "facts/series_unit.h"

static void hint_more(const struct profile *profile, uint32_t series, struct error *err)
{
    for (size_t i = 0; i < profile->series.count; i++) {
        const struct profile_series *other = &profile->series.items[i];
        struct slice event = profile_text(profile, other->event);

        if (other->samples.count == 0)
            continue;
        error_hint(err, "--event %.*s has some", SLICE_ARGUMENTS(event));
        return;
    }
    error_hint(err, series_is_of_heap(profile, series)
                        ? "record it while it asks malloc for memory: other memory has no samples"
                        : "record it while it does more, or sample more often: -F 4000, or -c 1 of what is "
                          "counted");
}

int nothing_shown_check(const struct profile *profile, uint32_t series, struct error *err)
{
    const struct profile_series *of = &profile->series.items[series];

    if (of->samples.count > 0)
        return 0;
    hint_more(profile, series, err);
    return error_set(err, ERROR_MISSING, "there is no sample of %.*s",
                     SLICE_ARGUMENTS(profile_text(profile, of->event)));
}

void nothing_shown_hint(const struct profile *profile, uint32_t series, const char *them, struct error *err)
{
    if (series_is_folded(profile, series))
        error_hint(err, "folded stacks tell neither lines nor code, a .cprof does: cargo cprof exec "
                        "-o app.cprof -- PROGRAM");
    else
        error_hint(err, "cargo cprof report FILE --callers REGEXP tells what calls %s", them);
}
