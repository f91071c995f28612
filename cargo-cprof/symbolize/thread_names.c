#include "symbolize/thread_names.h"

#include "base/memory.h"
#include "symbolize/names.h"

enum { KEPT_BYTES = 15 };

/*
 * "tests::parses" of "app::tests::parses::{{closure}}"; empty for a path without a crate and for what is
 * called by a type, "<app::tests::parses::{closure#0} as core::ops::function::FnOnce<()>>::call_once".
 */
static struct slice path_in_crate(struct slice path)
{
    size_t crate = slice_find_byte(path, ':');
    struct slice closure = naming_last_closure(path);

    for (; closure.length > 0; closure = naming_last_closure(path))
        path.length -= closure.length;
    return !slice_starts_with(path, SLICE("<")) &&
                   slice_starts_with(slice_range(path, crate, path.length), SLICE("::"))
               ? slice_range(path, crate + 2, path.length)
               : (struct slice){0};
}

/* The whole name as the outermost of the stack's functions that begins so has it, or an empty one. */
static struct slice find_whole(const struct profile *profile, uint32_t stack, struct slice cut)
{
    struct slice found = {0};

    for (; stack != PROFILE_NONE; stack = profile->stacks.items[stack].parent) {
        const struct profile_location *location =
            &profile->locations.items[profile->stacks.items[stack].location];

        for (uint32_t i = 0; i < location->frame_count; i++) {
            uint32_t function = profile->frames.items[location->first_frame + i].function;
            struct slice path = path_in_crate(profile_text(profile, profile->functions.items[function].name));

            if (slice_starts_with(path, cut))
                found = path;
        }
    }
    return found;
}

/* `is_whole`, by thread, is set for those whose name was found. */
static void complete_in_series(struct profile *profile, const struct profile_series *series, bool *is_whole)
{
    struct sums_cursor cursor = sums_cursor_of(&series->samples.sums);
    struct sample_sum sum;

    while (sums_cursor_next(&cursor, &sum)) {
        struct profile_thread *thread = &profile->threads.items[sum.thread];
        struct slice name = profile_text(profile, thread->name);
        struct slice whole = {0};

        if (name.length == KEPT_BYTES && !is_whole[sum.thread])
            whole = find_whole(profile, sum.stack, name);
        if (whole.length == 0)
            continue;
        is_whole[sum.thread] = true;
        thread->name = profile_string(profile, whole);
    }
}

void thread_names_complete(struct profile *profile)
{
    SCOPED(memory_free_at) bool *is_whole = memory_new(profile->threads.count + 1, sizeof(bool));

    for (size_t i = 0; i < profile->series.count; i++)
        complete_in_series(profile, &profile->series.items[i], is_whole);
}
