#include "symbolize/heap_calls.h"

#include <stdlib.h>

#include "base/memory.h"
#include "facts/series_unit.h"

bool heap_call_is(struct slice name)
{
    static const char *const starts[] = {
        "alloc::alloc::",
        "<alloc::alloc::Global",
        "alloc::raw_vec::",
        "<alloc::raw_vec::RawVec",
        "alloc::boxed::box_new",
        "std::alloc::",
        "<std::alloc::System",
        "std::sys::alloc::",
        "hashbrown::raw::alloc::",
        "__rust_alloc",
        "__rust_realloc",
        "__rustc::__r",
        "__rdl_",
        "__rg_",
        "operator new",
    };

    for (size_t i = 0; i < ARRAY_COUNT(starts); i++)
        if (slice_starts_with(name, slice_of(starts[i])))
            return true;
    /* A program's own, which ask another one. */
    return slice_find(name, SLICE(" as core::alloc::global::GlobalAlloc>::")) < name.length;
}

/* Of stacks and locations what stands for them; PROFILE_NONE is not known yet. */
struct trimming {
    struct profile *profile;
    bool *is_call; /* by function */
    uint32_t *locations;
    uint32_t *stacks; /* number + 1, so that 0 is none that is left */
    size_t stack_count;
};

static void trimming_done(struct trimming *trimming)
{
    free(trimming->is_call);
    free(trimming->locations);
    free(trimming->stacks);
}

static uint32_t *new_unknown(size_t count)
{
    uint32_t *numbers = memory_new(count + 1, sizeof(*numbers));

    for (size_t i = 0; i < count; i++)
        numbers[i] = PROFILE_NONE;
    return numbers;
}

static uint32_t count_left_out(const struct trimming *trimming, const struct profile_location *location)
{
    const struct profile_frame *frames = trimming->profile->frames.items + location->first_frame;
    uint32_t count = 0;

    while (count < location->frame_count && trimming->is_call[frames[count].function])
        count++;
    return count;
}

/* The location without its `left_out` innermost frames, of which some stay; itself where there is none. */
static uint32_t outer_location(struct profile *profile, uint32_t location, uint32_t left_out)
{
    const struct profile_location of = profile->locations.items[location];
    uint32_t found = profile_location(profile, of.module, of.svma - 1);

    if (found + 1 < profile->locations.count || profile->locations.items[found].frame_count > 0)
        return location;
    for (uint32_t i = left_out; i < of.frame_count; i++) {
        struct profile_frame frame = profile->frames.items[of.first_frame + i];

        *vec_add(&profile->frames) = frame;
    }
    profile->locations.items[found].first_frame =
        (uint32_t)profile->frames.count - (of.frame_count - left_out);
    profile->locations.items[found].frame_count = of.frame_count - left_out;
    return found;
}

static uint32_t trimmed_location(struct trimming *trimming, uint32_t location, uint32_t left_out)
{
    uint32_t *known = &trimming->locations[location];

    if (*known == PROFILE_NONE)
        *known = outer_location(trimming->profile, location, left_out);
    return *known;
}

static uint32_t trim(struct trimming *trimming, uint32_t stack)
{
    struct profile *profile = trimming->profile;

    while (stack != PROFILE_NONE) {
        struct profile_stack of = profile->stacks.items[stack];
        const struct profile_location *location = &profile->locations.items[of.location];
        uint32_t left_out = count_left_out(trimming, location);

        if (left_out == 0)
            return stack;
        if (left_out < location->frame_count)
            return profile_stack(profile, of.parent, trimmed_location(trimming, of.location, left_out));
        stack = of.parent;
    }
    return PROFILE_NONE;
}

/* What is no call of anybody's, as of memory that an allocator takes for itself, stays as it is. */
static uint32_t trimmed_stack(struct trimming *trimming, uint32_t stack)
{
    uint32_t trimmed = PROFILE_NONE;

    if (stack == PROFILE_NONE || stack >= trimming->stack_count)
        return stack;
    if (trimming->stacks[stack] == PROFILE_NONE) {
        trimmed = trim(trimming, stack);
        trimming->stacks[stack] = trimmed == PROFILE_NONE ? stack : trimmed;
    }
    return trimming->stacks[stack];
}

static void trim_series(struct trimming *trimming, struct sample_store *store)
{
    struct sample_store before = *store;
    struct sample_cursor cursor = sample_cursor_of(&before);
    struct profile_sample sample;

    *store = (struct sample_store){.file = before.file};
    while (sample_cursor_next(&cursor, &sample)) {
        sample.stack = trimmed_stack(trimming, sample.stack);
        sample_store_add(store, sample);
    }
    sample_cursor_done(&cursor);
    sample_store_done(&before);
}

static void leave_out(struct profile *profile)
{
    SCOPED(trimming_done)
    struct trimming trimming = {
        .profile = profile,
        .is_call = memory_new(profile->functions.count + 1, sizeof(bool)),
        .locations = new_unknown(profile->locations.count),
        .stacks = new_unknown(profile->stacks.count),
        .stack_count = profile->stacks.count,
    };

    for (size_t i = 0; i < profile->functions.count; i++)
        trimming.is_call[i] = heap_call_is(profile_text(profile, profile->functions.items[i].name));
    for (uint32_t i = 0; i < profile->series.count; i++)
        if (series_is_of_heap(profile, i))
            trim_series(&trimming, &profile->series.items[i].samples);
}

int heap_calls_leave_out(struct profile *profile, struct error *err)
{
    if (!series_of_heap_exist(profile))
        return 0;
    leave_out(profile);
    return profile_finish(profile, err);
}
