#include "criterion/timed_part.h"

#include <string.h>

#include "base/memory.h"
#include "facts/cpu_time.h"
#include "view/narrow.h"

enum { ENOUGH_PERCENT = 90 };

/* Where a call is. */
enum place {
    PLACE_OUTSIDE, /* of Criterion's loops */
    PLACE_BATCH,   /* in iter_batched itself, which calls set-up and routine */
    PLACE_SET_UP,
    PLACE_TIMED,
    PLACE_UNKNOWN, /* it may be timed or not */
};

/* "criterion::bencher::Bencher<M>::iter", as a v0 name "<criterion::bencher::Bencher<..>>::iter::<..>" */
static enum place place_of_loop(struct slice name)
{
    static const char method[] = ">::iter";
    size_t at = slice_find(name, slice_of(method));
    struct slice path = slice_range(name, slice_starts_with(name, SLICE("<")), name.length);
    struct slice rest = {0};

    if (at >= name.length || !slice_starts_with(path, SLICE("criterion::bencher::")))
        return PLACE_OUTSIDE;
    rest = slice_range(name, at + strlen(method), name.length);
    if (rest.length == 0 || rest.data[0] == ':')
        return PLACE_TIMED;
    /* It does no more than to call iter_batched, as iter_with_large_setup does. */
    if (slice_starts_with(rest, SLICE("_with_large_")))
        return PLACE_OUTSIDE;
    return slice_starts_with(rest, SLICE("_batched")) && !slice_has(path, SLICE("AsyncBencher<"))
               ? PLACE_BATCH
               : PLACE_UNKNOWN;
}

/*
 * Of what a batch calls: it collects inputs, extends a Vec by the routine's outputs, which is timed, and
 * drops both.
 */
static enum place place_in_batch(struct slice name)
{
    static const char *const timed[] = {"::Extend<", "SpecExtend<", "::extend_trusted"};
    static const char *const untimed[] = {"Iterator::collect",  "Iterator>::collect",   "FromIter",
                                          "drop_in_place",      "core::ptr::drop_glue", "core::mem::drop",
                                          "::drop::Drop>::drop"};

    if (slice_has_any(name, timed, ARRAY_COUNT(timed)))
        return PLACE_TIMED;
    return slice_has_any(name, untimed, ARRAY_COUNT(untimed)) ? PLACE_SET_UP : PLACE_UNKNOWN;
}

/* Where a call from `caller` is; only what is outside or in a batch itself may call into another place. */
static enum place place_of_call(const struct profile *profile, enum place caller, uint32_t function)
{
    struct slice name = profile_text(profile, profile->functions.items[function].name);

    return caller == PLACE_OUTSIDE ? place_of_loop(name)
           : caller == PLACE_BATCH ? place_in_batch(name)
                                   : caller;
}

/* By stack, as enum place; to be freed. */
static unsigned char *places_of_stacks(const struct profile *profile)
{
    unsigned char *places = memory_new(profile->stacks.count + 1, 1);

    for (size_t i = 0; i < profile->stacks.count; i++) {
        const struct profile_stack *stack = &profile->stacks.items[i];
        const struct profile_location *location = &profile->locations.items[stack->location];
        enum place place = stack->parent == PROFILE_NONE ? PLACE_OUTSIDE : (enum place)places[stack->parent];

        for (uint32_t frame = location->frame_count; frame-- > 0;)
            place =
                place_of_call(profile, place, profile->frames.items[location->first_frame + frame].function);
        places[i] = (unsigned char)place;
    }
    return places;
}

/* --- Samples ------------------------------------------------------------------------------------- */

/* How many samples are of an iteration's time, and how many may be. */
struct counts {
    uint64_t timed;
    uint64_t unknown;
};

static enum place place_of_sum(const unsigned char *places, const struct sample_sum *sum)
{
    return sum->stack == PROFILE_NONE ? PLACE_OUTSIDE : (enum place)places[sum->stack];
}

/* By thread, whether it has samples that are timed; to be freed. */
static bool *timed_threads(const struct profile *profile, const unsigned char *places)
{
    struct sums_cursor cursor = sums_cursor_of(&profile->series.items[0].samples.sums);
    bool *threads = memory_new(profile->threads.count + 1, sizeof(bool));
    struct sample_sum sum;

    while (sums_cursor_next(&cursor, &sum))
        threads[sum.thread] = threads[sum.thread] || place_of_sum(places, &sum) == PLACE_TIMED;
    return threads;
}

/* What other threads do may be the routine's work. */
static struct counts count_samples(const struct profile *profile, const unsigned char *places)
{
    SCOPED(memory_free_at) bool *threads = timed_threads(profile, places);
    struct sums_cursor cursor = sums_cursor_of(&profile->series.items[0].samples.sums);
    struct counts counts = {0};
    struct sample_sum sum;

    while (sums_cursor_next(&cursor, &sum)) {
        enum place place = place_of_sum(places, &sum);

        if (place == PLACE_TIMED)
            counts.timed += sum.count;
        else if (place == PLACE_UNKNOWN || place == PLACE_BATCH || !threads[sum.thread])
            counts.unknown += sum.count;
    }
    return counts;
}

static bool misses_kernel(const struct profile *profile)
{
    const struct profile_series *series = &profile->series.items[0];

    return series->is_user_only &&
           cpu_time_is_missed((double)series_sum_of_values(series), profile->cpu_ns, false);
}

int timed_part_keep(struct profile *profile, bool *is_told, struct error *err)
{
    SCOPED(memory_free_at) unsigned char *places = places_of_stacks(profile);
    SCOPED(memory_free_at) bool *timed = memory_new(profile->stacks.count + 1, sizeof(bool));
    struct counts counts = count_samples(profile, places);
    double all = (double)counts.timed + (double)counts.unknown;

    *is_told =
        counts.timed > 0 && (double)counts.timed * 100 >= all * ENOUGH_PERCENT && !misses_kernel(profile);
    if (!*is_told)
        return 0;
    for (size_t i = 0; i < profile->stacks.count; i++)
        timed[i] = places[i] == PLACE_TIMED;
    return narrow_to_stacks(profile, timed, err);
}
