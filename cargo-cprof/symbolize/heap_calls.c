#include "symbolize/heap_calls.h"

#include <stdlib.h>

#include "base/memory.h"
#include "facts/global_allocator.h"
#include "facts/series_unit.h"
#include "facts/signal_return.h"

/*
 * Whether a function of C is called after what it asks the C library for: sqlite3DbMallocRawNN,
 * ZSTD_customMalloc, CRYPTO_zalloc, git__calloc, g_malloc0, xrealloc.
 */
static bool names_c_allocation(struct slice name)
{
    static const char *const parts[] = {"malloc", "Malloc",  "calloc", "Calloc",
                                        "zalloc", "realloc", "Realloc"};

    return !slice_has(name, SLICE("::")) && slice_has_any(name, parts, ARRAY_COUNT(parts));
}

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
        /* std's interface of allocators for stable Rust, which hashbrown asks. */
        "allocator_api2::stable::alloc::",
        "<allocator_api2::stable::alloc::global::Global",
        "allocator_api2::stable::raw_vec::",
        "<allocator_api2::stable::raw_vec::RawVec",
        "__rust_alloc",
        "__rust_realloc",
        "__rustc::__r",
        "__rdl_",
        "__rg_",
        "operator new",
        /* libstdc++'s and libc++'s, of containers. */
        "std::__new_allocator<",
        "__gnu_cxx::new_allocator<",
        "std::allocator<",
        "std::allocator_traits<",
        "std::_Vector_base<",
        "std::__1::allocator<",
        "std::__1::allocator_traits<",
    };

    return slice_starts_with_any(name, starts, ARRAY_COUNT(starts)) || global_allocator_has(name) ||
           names_c_allocation(name);
}

/* Of stacks and locations what stands for them; PROFILE_NONE is not known yet. */
struct trimming {
    struct profile *profile;
    bool is_of_heap; /* what is trimmed now */
    bool *is_call;   /* by function */
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

/* --- What the recorder's own library takes ------------------------------------------------------------- */

static bool is_recorders(const struct profile *profile, const struct profile_location *location)
{
    return location->module != PROFILE_NONE &&
           heap_library_is(profile_text(profile, profile->modules.items[location->module].path));
}

/*
 * Whether the library calls that by itself: not the functions that it stands before, whatever library those
 * are of, and no signal's handler.
 */
static bool is_recorders_call(struct slice name)
{
    if (slice_has(name, SLICE("usable_size")))
        return true;
    return name.length > 0 && !slice_has(name, SLICE("alloc")) && !slice_has(name, SLICE("free")) &&
           !slice_has(name, SLICE("memalign")) && !signal_return_is(name);
}

/* What was called there, with all that is inlined into it. */
static struct slice called_at(const struct profile *profile, uint32_t stack)
{
    const struct profile_location *location =
        &profile->locations.items[profile->stacks.items[stack].location];
    const struct profile_frame *frames = profile->frames.items + location->first_frame;

    if (location->frame_count == 0)
        return (struct slice){0};
    return profile_text(profile, profile->functions.items[frames[location->frame_count - 1].function].name);
}

/* A sample there is one of the library that called it; the stack itself where that is not so. */
static uint32_t recorders_stack(struct profile *profile, uint32_t stack)
{
    uint32_t called = PROFILE_NONE;

    for (uint32_t at = stack; at != PROFILE_NONE; at = profile->stacks.items[at].parent) {
        if (is_recorders(profile, &profile->locations.items[profile->stacks.items[at].location]))
            return called != PROFILE_NONE && is_recorders_call(called_at(profile, called)) ? at : stack;
        called = at;
    }
    return stack;
}

/* --- Whatever is trimmed -------------------------------------------------------------------------------- */

/* What is no call of anybody's, as of memory that an allocator takes for itself, stays as it is. */
static uint32_t trimmed_stack(struct trimming *trimming, uint32_t stack)
{
    uint32_t trimmed = PROFILE_NONE;

    if (stack == PROFILE_NONE || stack >= trimming->stack_count)
        return stack;
    if (trimming->stacks[stack] == PROFILE_NONE) {
        trimmed = trimming->is_of_heap ? trim(trimming, stack) : recorders_stack(trimming->profile, stack);
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

/* All series that are of the heap, or all others. */
static void trim_all(struct profile *profile, bool is_of_heap)
{
    SCOPED(trimming_done)
    struct trimming trimming = {
        .profile = profile,
        .is_of_heap = is_of_heap,
        .is_call = memory_new(profile->functions.count + 1, sizeof(bool)),
        .locations = new_unknown(profile->locations.count),
        .stacks = new_unknown(profile->stacks.count),
        .stack_count = profile->stacks.count,
    };

    for (size_t i = 0; i < profile->functions.count; i++)
        trimming.is_call[i] = heap_call_is(profile_text(profile, profile->functions.items[i].name));
    for (uint32_t i = 0; i < profile->series.count; i++)
        if (series_is_of_heap(profile, i) == is_of_heap)
            trim_series(&trimming, &profile->series.items[i].samples);
}

int heap_calls_leave_out(struct profile *profile, struct error *err)
{
    if (!series_of_heap_exist(profile))
        return 0;
    trim_all(profile, true);
    trim_all(profile, false);
    return profile_finish(profile, err);
}
