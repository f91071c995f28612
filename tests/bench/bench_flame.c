/*
 * Draws a profile of 50,000 distinct stacks and says how long it took and how large the files are.
 *
 * usage: bench_flame
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "emit/output.h"

enum { STACKS = 50000, FUNCTIONS = 3000, DEEPEST = 60 };

static double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* The same numbers on every run (xorshift, Marsaglia 2003). */
static uint32_t random_below(uint64_t *state, uint32_t limit)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (uint32_t)(*state >> 32) % limit;
}

static void add_functions(struct profile *profile)
{
    char name[96];

    for (uint32_t i = 0; i < FUNCTIONS; i++) {
        struct profile_function function = {.category = CATEGORY_OWN + i % 3};

        snprintf(name, sizeof(name), "core::iter::adapters::map%u::<impl Iterator for Map<I,F>>::fold%u",
                 i % 40, i);
        function.name = profile_string(profile, slice_of(name));
        function.crate = profile_string(profile, SLICE("core"));
        profile_set_frames(profile, profile_location(profile, PROFILE_NONE, i),
                           &(struct profile_frame){.function = profile_function(profile, function)}, 1);
    }
}

/* Stacks that branch off each other anywhere; a few hold most of the samples, as in real profiles. */
static void add_stacks(struct profile *profile)
{
    uint64_t state = 88172645463325252U;
    VEC(uint32_t) depths = {0};

    while (profile->stacks.count < STACKS) {
        uint32_t known = (uint32_t)profile->stacks.count;
        uint32_t parent = known ? random_below(&state, known) : PROFILE_NONE;
        uint32_t depth = known ? depths.items[parent] + 1 : 1;
        uint32_t stack = 0;

        if (depth > DEEPEST)
            continue;
        stack = profile_stack(profile, parent, random_below(&state, FUNCTIONS));
        if (stack == known)
            *vec_add(&depths) = depth;
        for (uint32_t left = 1 + 1000 / (1 + random_below(&state, 1000)); left > 0; left--)
            profile_add_sample(profile, 0, (struct profile_sample){.value = 1, .stack = stack});
    }
    vec_done(&depths);
    if (profile_finish(profile, &(struct error){0}) < 0)
        abort();
}

static void measure(struct profile *profile, const char *name, enum output_format format)
{
    SCOPED(text_done) struct text out = {0};
    struct error err = {0};
    double start = now();

    if (output_add(&out, profile, 0, format, &(struct output_look){0}, &err) < 0)
        fprintf(stderr, "bench_flame: %s\n", err.message);
    printf("%-7s %.3f s, %zu bytes\n", name, now() - start, out.length);
}

int main(void)
{
    struct profile profile;

    profile_init(&profile);
    profile_add_thread(&profile, 1, 1, SLICE("main"));
    profile_add_series(&profile, SLICE("cpu-clock"), SLICE("ns"), 997);
    add_functions(&profile);
    add_stacks(&profile);
    printf("%zu stacks, %llu samples\n", profile.stacks.count,
           (unsigned long long)profile.series.items[0].samples.count);
    measure(&profile, "svg", OUTPUT_FLAME);
    measure(&profile, "folded", OUTPUT_FOLDED);
    measure(&profile, "txt", OUTPUT_TEXT);
    measure(&profile, "cprof", OUTPUT_PROFILE);
    profile_done(&profile);
    return 0;
}
