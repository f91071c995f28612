#include "facts/short_stacks.h"

#include "base/memory.h"
#include "base/units.h"

enum { FEW_CALLS = 2 };

/* Neither the kernel's nor of a process outside of our container. */
static bool is_programs(const struct profile *profile, uint32_t location)
{
    uint32_t module = profile->locations.items[location].module;
    enum module_kind kind = module == PROFILE_NONE ? MODULE_NONE : profile->modules.items[module].kind;

    return kind != MODULE_KERNEL && kind != MODULE_NONE;
}

/* By stack, how many calls of the program are in it. */
static uint32_t *depths_of(const struct profile *profile)
{
    uint32_t *depths = memory_new(profile->stacks.count + 1, sizeof(*depths));

    for (size_t i = 0; i < profile->stacks.count; i++) {
        const struct profile_stack *stack = &profile->stacks.items[i];

        depths[i] = (stack->parent == PROFILE_NONE ? 0 : depths[stack->parent]) +
                    is_programs(profile, stack->location);
    }
    return depths;
}

/* The GNU C library's, in one file or, before 2.34, in two, and musl's. */
static bool is_in_c_library(const struct profile *profile, uint32_t module)
{
    static const char *const starts[] = {"libc.so", "libc-", "libpthread", "ld-musl"};
    struct slice name = slice_file_name(profile_text(profile, profile->modules.items[module].path));

    return slice_starts_with_any(name, starts, ARRAY_COUNT(starts));
}

/* Into which all others of the place are inlined; NULL where it is not known. */
static const struct profile_function *outermost_function(const struct profile *profile,
                                                         const struct profile_location *location)
{
    const struct profile_frame *frame = NULL;

    if (location->frame_count == 0)
        return NULL;
    frame = &profile->frames.items[location->first_frame + location->frame_count - 1];
    return &profile->functions.items[frame->function];
}

/* In a program that is linked statically the C library is told by its names alone. */
static bool starts_threads(const struct profile *profile, const struct profile_location *location)
{
    static const char *const names[] = {"_start",
                                        "__libc_start_main",
                                        "__libc_start_main_impl",
                                        "__libc_start_call_main",
                                        "libc_start_main_stage2",
                                        "clone",
                                        "__clone",
                                        "clone3",
                                        "__clone3",
                                        "start_thread",
                                        "start"};
    const struct profile_function *function = outermost_function(profile, location);
    struct slice name;

    if (!function)
        return false;
    name = profile_text(profile, function->name);
    return slice_is_any(name, names, ARRAY_COUNT(names));
}

/* Whether it may be what the C library starts a thread with: of Rust that is one function of std's. */
static bool may_be_first(const struct profile *profile, const struct profile_location *location)
{
    const struct profile_function *function = outermost_function(profile, location);
    struct slice name;
    bool is_rust = false;

    if (!function)
        return true;
    name = profile_text(profile, function->name);
    is_rust = (function->category == CATEGORY_OWN || function->category == CATEGORY_DEPENDENCY ||
               function->category == CATEGORY_STD) &&
              slice_has(name, SLICE("::"));
    return !is_rust || slice_ends_with(name, SLICE("::thread_start"));
}

/* Of a stack with two calls of the program at most. */
static bool begins_at_start(const struct profile *profile, uint32_t stack)
{
    const struct profile_location *inner = NULL;
    const struct profile_location *outer = NULL;

    for (; stack != PROFILE_NONE; stack = profile->stacks.items[stack].parent) {
        if (!is_programs(profile, profile->stacks.items[stack].location))
            continue;
        inner = outer;
        outer = &profile->locations.items[profile->stacks.items[stack].location];
    }
    return inner && may_be_first(profile, inner) &&
           (starts_threads(profile, outer) ||
            (outer->module != inner->module && is_in_c_library(profile, outer->module)));
}

struct short_stacks short_stacks_count(const struct profile *profile, const struct profile_series *series)
{
    SCOPED(memory_free_at) uint32_t *depths = depths_of(profile);
    struct sums_cursor cursor = sums_cursor_of(&series->samples.sums);
    struct short_stacks counts = {0};
    struct sample_sum sum;

    /* Threads of the kernel have no calls of the program, and may have most of the samples. */
    while (sums_cursor_next(&cursor, &sum)) {
        if (sum.stack == PROFILE_NONE || depths[sum.stack] == 0)
            continue;
        counts.program_count += sum.count;
        if (depths[sum.stack] <= FEW_CALLS && !begins_at_start(profile, sum.stack))
            counts.short_count += sum.count;
    }
    return counts;
}

bool short_stacks_are_most(const struct profile *profile, const struct profile_series *series,
                           struct text *share)
{
    enum { ENOUGH_SAMPLES = 20, LEAST_PERCENT = 10 };
    struct short_stacks counts;

    if (series->ended_counts[STACK_UNCHECKED] == 0)
        return false;
    counts = short_stacks_count(profile, series);
    if (counts.program_count < ENOUGH_SAMPLES || counts.short_count * 2 <= counts.program_count ||
        counts.short_count * 100 < series->samples.count * LEAST_PERCENT)
        return false;
    if (share)
        units_add_percent(share, counts.short_count, counts.program_count);
    return true;
}
