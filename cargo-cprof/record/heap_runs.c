#include "record/heap_runs.h"

#include "base/memory.h"

/* Samples without a stack have the last place. */
static size_t place_of(const struct profile *profile, uint32_t stack)
{
    return stack < profile->stacks.count ? stack : profile->stacks.count;
}

/*
 * What divisions leave is handed on from stack to stack, so that the sum of all is right, and from sample to
 * sample of one, so that its own is where it can be: `left` is what each begins with.
 */
static void find_left(const struct profile *profile, const struct sample_store *store, uint64_t *left)
{
    struct sample_cursor cursor = sample_cursor_of(store);
    struct profile_sample sample;
    uint64_t next = profile->run_count / 2;

    while (sample_cursor_next(&cursor, &sample)) {
        uint64_t *of_stack = &left[place_of(profile, sample.stack)];

        *of_stack = (*of_stack + sample.value % profile->run_count) % profile->run_count;
    }
    sample_cursor_done(&cursor);
    for (size_t i = 0; i <= profile->stacks.count; i++) {
        uint64_t of_stack = left[i];

        left[i] = next;
        next = (next + of_stack) % profile->run_count;
    }
}

static void divide(const struct profile *profile, struct sample_store *store)
{
    SCOPED(memory_free_at) uint64_t *left = memory_new(profile->stacks.count + 1, sizeof(*left));
    struct sample_store before = *store;
    struct sample_cursor cursor = sample_cursor_of(&before);
    struct profile_sample sample;

    find_left(profile, &before, left);
    *store = (struct sample_store){.file = before.file};
    while (sample_cursor_next(&cursor, &sample)) {
        uint64_t *of_stack = &left[place_of(profile, sample.stack)];
        uint64_t value = sample.value;

        sample.value = value / profile->run_count;
        *of_stack += value % profile->run_count;
        if (*of_stack >= profile->run_count) {
            sample.value++;
            *of_stack -= profile->run_count;
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
            divide(profile, &profile->series.items[i].samples);
    return profile_finish(profile, err);
}
