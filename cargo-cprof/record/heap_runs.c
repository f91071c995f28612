#include "record/heap_runs.h"

/* Rounded so that sums are right: what is left of one the next has more. */
static void divide(struct sample_store *store, uint32_t run_count)
{
    struct sample_store before = *store;
    struct sample_cursor cursor = sample_cursor_of(&before);
    struct profile_sample sample;
    uint64_t left = run_count / 2;

    *store = (struct sample_store){.file = before.file};
    while (sample_cursor_next(&cursor, &sample)) {
        uint64_t value = sample.value;

        sample.value = value / run_count;
        left += value % run_count;
        if (left >= run_count) {
            sample.value++;
            left -= run_count;
        }
        sample_store_add(store, sample);
    }
    sample_cursor_done(&cursor);
    sample_store_done(&before);
}

int heap_runs_take_mean(struct profile *profile, struct error *err)
{
    if (profile->run_count < 2)
        return 0;
    for (size_t i = 0; i < profile->series.count; i++)
        if (heap_event_is_of_moment(profile->series.items[i].heap))
            divide(&profile->series.items[i].samples, profile->run_count);
    return profile_finish(profile, err);
}
