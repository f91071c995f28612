#include "profile/totals.h"

#include "base/memory.h"

uint64_t weight_of_sum(const struct sample_sum *sum, enum weight weight)
{
    return weight == WEIGHT_SAMPLES ? sum->count : sum->value;
}

enum weight weight_of_series(const struct profile *profile, uint32_t series)
{
    struct slice unit = profile_text(profile, profile->series.items[series].unit);
    bool is_of_time = slice_is(unit, "ns") || slice_is(unit, "cycles") || unit.length == 0;

    return is_of_time ? WEIGHT_SAMPLES : WEIGHT_VALUE;
}

void weight_add(uint64_t *sum, uint64_t weight)
{
    if (__builtin_add_overflow(*sum, weight, sum))
        *sum = UINT64_MAX;
}

static void add_samples(const struct profile_series *series, enum weight weight, struct totals *totals)
{
    struct sums_cursor cursor = sums_cursor_of(&series->samples.sums);
    struct sample_sum sum;

    while (sums_cursor_next(&cursor, &sum)) {
        uint64_t *self = sum.stack == PROFILE_NONE ? &totals->without_stack : &totals->stacks[sum.stack].self;

        weight_add(self, weight_of_sum(&sum, weight));
        weight_add(&totals->whole, weight_of_sum(&sum, weight));
    }
}

/* A parent has a smaller id than its children, so one pass from the end sees each stack complete. */
static void add_up_stacks(const struct profile *profile, struct weights *stacks)
{
    for (size_t i = profile->stacks.count; i-- > 0;) {
        uint32_t parent = profile->stacks.items[i].parent;

        weight_add(&stacks[i].total, stacks[i].self);
        if (parent != PROFILE_NONE)
            weight_add(&stacks[parent].total, stacks[i].total);
    }
}

/* The tree of stacks from the top down, and how often each function is on the path to where the walk stands.
 */
struct walk {
    const struct profile *profile;
    struct totals *totals;
    uint32_t series;
    uint32_t *first_child;  /* by stack; PROFILE_NONE for none */
    uint32_t *next_sibling; /* by stack */
    uint32_t *open;         /* by function */
};

static void walk_done(struct walk *walk)
{
    free(walk->first_child);
    free(walk->next_sibling);
    free(walk->open);
}

static void link_children(struct walk *walk)
{
    size_t count = walk->profile->stacks.count;

    walk->first_child = memory_new(count + 1, sizeof(uint32_t));
    walk->next_sibling = memory_new(count + 1, sizeof(uint32_t));
    for (size_t i = 0; i < count; i++)
        walk->first_child[i] = walk->next_sibling[i] = PROFILE_NONE;
    for (size_t i = count; i-- > 0;) {
        uint32_t parent = walk->profile->stacks.items[i].parent;

        if (parent == PROFILE_NONE)
            continue;
        walk->next_sibling[i] = walk->first_child[parent];
        walk->first_child[parent] = (uint32_t)i;
    }
}

/* By its file: the C library, its loader, and gcc's library by which std walks stacks. */
static bool is_of_c_library(struct slice file)
{
    static const char *const starts[] = {"libc.so",   "libc-",   "libgcc_s",   "ld-linux", "ld-2.",
                                         "libc.musl", "ld-musl", "libpthread", "libdl.so", "libdl-2."};

    return slice_starts_with_any(file, starts, ARRAY_COUNT(starts));
}

bool totals_is_stds(const struct profile *profile, uint32_t frame)
{
    const struct profile_function *function =
        &profile->functions.items[profile->frames.items[frame].function];

    return function->category == CATEGORY_STD ||
           (function->category == CATEGORY_OTHER &&
            (is_of_c_library(profile_text(profile, function->crate)) ||
             slice_starts_with(profile_text(profile, function->name), SLICE("_Unwind_"))));
}

uint32_t totals_own_frame(const struct profile *profile, uint32_t series, uint32_t stack)
{
    uint32_t innermost = PROFILE_NONE;

    for (; stack != PROFILE_NONE; stack = profile->stacks.items[stack].parent) {
        const struct profile_location *location =
            &profile->locations.items[profile->stacks.items[stack].location];

        for (uint32_t i = 0; i < location->frame_count; i++) {
            uint32_t frame = location->first_frame + i;

            if (!profile->series.items[series].heap || !totals_is_stds(profile, frame))
                return frame;
            if (innermost == PROFILE_NONE)
                innermost = frame;
        }
    }
    return innermost;
}

/* A function's outermost calls hold the samples of those inside, so only they are counted. */
static void enter(struct walk *walk, uint32_t stack)
{
    const struct profile *profile = walk->profile;
    const struct profile_location *location =
        &profile->locations.items[profile->stacks.items[stack].location];
    const struct weights *weights = &walk->totals->stacks[stack];
    uint32_t own = PROFILE_NONE;

    for (uint32_t i = location->frame_count; i-- > 0;) {
        uint32_t function = profile->frames.items[location->first_frame + i].function;
        struct weights *of = &walk->totals->functions[function];

        if (walk->open[function]++ == 0)
            weight_add(&of->total, weights->total);
    }
    if (weights->self == 0)
        return;
    own = totals_own_frame(profile, walk->series, stack);
    if (own != PROFILE_NONE)
        weight_add(&walk->totals->functions[profile->frames.items[own].function].self, weights->self);
}

static void leave(struct walk *walk, uint32_t stack)
{
    const struct profile *profile = walk->profile;
    const struct profile_location *location =
        &profile->locations.items[profile->stacks.items[stack].location];

    for (uint32_t i = 0; i < location->frame_count; i++)
        walk->open[profile->frames.items[location->first_frame + i].function]--;
}

/* Leaves stacks up to the first that has a sibling, which is where the walk goes on; PROFILE_NONE at the end.
 */
static uint32_t leave_to_sibling(struct walk *walk, uint32_t stack, uint32_t root)
{
    while (true) {
        leave(walk, stack);
        if (stack == root)
            return PROFILE_NONE;
        if (walk->next_sibling[stack] != PROFILE_NONE)
            return walk->next_sibling[stack];
        stack = walk->profile->stacks.items[stack].parent;
    }
}

static void walk_from(struct walk *walk, uint32_t root)
{
    uint32_t stack = root;

    while (stack != PROFILE_NONE) {
        enter(walk, stack);
        stack = walk->first_child[stack] != PROFILE_NONE ? walk->first_child[stack]
                                                         : leave_to_sibling(walk, stack, root);
    }
}

void totals_compute(const struct profile *profile, uint32_t series, enum weight weight, struct totals *out)
{
    SCOPED(walk_done) struct walk walk = {.profile = profile, .totals = out, .series = series};

    *out = (struct totals){
        .stacks = memory_new(profile->stacks.count + 1, sizeof(struct weights)),
        .functions = memory_new(profile->functions.count + 1, sizeof(struct weights)),
    };
    add_samples(&profile->series.items[series], weight, out);
    add_up_stacks(profile, out->stacks);
    link_children(&walk);
    walk.open = memory_new(profile->functions.count + 1, sizeof(uint32_t));
    for (uint32_t i = 0; i < profile->stacks.count; i++)
        if (profile->stacks.items[i].parent == PROFILE_NONE)
            walk_from(&walk, i);
}

void totals_done(struct totals *totals)
{
    free(totals->stacks);
    free(totals->functions);
    *totals = (struct totals){0};
}
