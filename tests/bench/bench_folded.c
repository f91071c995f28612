/*
 * Draws 1,000,000 lines of folded stacks, 50,000 of them distinct, and says how long it took. With an
 * argument it writes the lines to that file instead, for measuring the whole command.
 *
 * usage: bench_folded [FILE]
 */
#include <stdio.h>
#include <time.h>

#include "base/file.h"
#include "emit/output.h"
#include "import/folded.h"

enum { LINES = 1000000, STACKS = 50000, FUNCTIONS = 3000, DEEPEST = 60, PART_BYTES = 1 << 18 };

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

struct paths {
    struct arena arena;
    VEC(struct slice) items;
};

/* Paths that branch off each other anywhere, as in real profiles. */
static void make_paths(struct paths *paths)
{
    uint64_t state = 88172645463325252U;
    VEC(uint32_t) depths = {0};

    while (paths->items.count < STACKS) {
        uint32_t known = (uint32_t)paths->items.count;
        uint32_t parent = known ? random_below(&state, known) : 0;
        uint32_t depth = known ? depths.items[parent] + 1 : 1;
        uint32_t function = random_below(&state, FUNCTIONS);
        const char *path = NULL;

        if (depth > DEEPEST)
            continue;
        path = arena_format(
            &paths->arena, "%s;core::iter::adapters::map%u::<impl Iterator for Map<I,F>>::fold%u",
            known ? paths->items.items[parent].data : "crunch;crunch::main", function % 40, known);
        *vec_add(&paths->items) = slice_of(path);
        *vec_add(&depths) = depth;
    }
    vec_done(&depths);
}

static void make_lines(const struct paths *paths, struct text *lines)
{
    uint64_t state = 1234567;

    for (uint32_t i = 0; i < LINES; i++) {
        uint32_t path = i < STACKS ? i : random_below(&state, 1 + random_below(&state, STACKS));

        text_add(lines, paths->items.items[path]);
        text_format(lines, " %u\n", 1 + random_below(&state, 50));
    }
}

static void measure(struct slice lines)
{
    SCOPED(folded_import_done) struct folded_import import = {0};
    SCOPED(text_done) struct text svg = {0};
    struct profile profile;
    struct error err = {0};
    double start = now();

    profile_init(&profile);
    for (size_t at = 0; at < lines.length; at += PART_BYTES)
        folded_import_add(&import, slice_range(lines, at, at + PART_BYTES));
    if (folded_import_end_file(&import, &err) < 0)
        fprintf(stderr, "bench_folded: %s\n", err.message);
    printf("lines   %.3f s, %zu bytes\n", now() - start, lines.length);
    start = now();
    if (folded_import_finish(&import, &profile, &err) < 0)
        fprintf(stderr, "bench_folded: %s\n", err.message);
    printf("profile %.3f s, %zu stacks\n", now() - start, profile.stacks.count);
    start = now();
    if (output_add(&svg, &profile, 0, OUTPUT_FLAME, &(struct output_look){0}, &err) < 0)
        fprintf(stderr, "bench_folded: %s\n", err.message);
    printf("svg     %.3f s, %zu bytes\n", now() - start, svg.length);
    profile_done(&profile);
}

int main(int argc, char **argv)
{
    struct paths paths = {0};
    SCOPED(text_done) struct text lines = {0};
    struct error err = {0};
    int failed = 0;

    make_paths(&paths);
    make_lines(&paths, &lines);
    if (argc > 1)
        failed = file_replace(argv[1], text_slice(&lines), &err);
    else
        measure(text_slice(&lines));
    if (failed)
        fprintf(stderr, "bench_folded: %s\n", err.message);
    vec_done(&paths.items);
    arena_done(&paths.arena);
    return failed ? 1 : 0;
}
