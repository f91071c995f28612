/*
 * Writes a profile of 14 million samples to FILE, reads it back, and says how long that took, how large it
 * is and what reading takes of memory.
 *
 * usage: bench_profile_file FILE
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/replacement.h"
#include "import/input.h"
#include "profile/profile_file.h"

enum {
    SAMPLES = 14000000,
    STACKS = 200000,
    FUNCTIONS = 5000,
    THREADS = 16,
    DEEPEST = 120,
    PERIOD_NS = 250000
};

static double seconds(clockid_t clock)
{
    struct timespec time;

    clock_gettime(clock, &time);
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
        profile_set_frames(
            profile, profile_location(profile, PROFILE_NONE, 0x400000 + 37 * (uint64_t)i),
            &(struct profile_frame){.function = profile_function(profile, function), .line = i % 900}, 1);
    }
}

static void add_stacks(struct profile *profile, uint64_t *state)
{
    VEC(uint32_t) depths = {0};

    while (profile->stacks.count < STACKS) {
        uint32_t known = (uint32_t)profile->stacks.count;
        uint32_t parent = known > THREADS ? random_below(state, known) : PROFILE_NONE;
        uint32_t depth = parent == PROFILE_NONE ? 1 : depths.items[parent] + 1;

        if (depth > DEEPEST || profile_stack(profile, parent, random_below(state, FUNCTIONS)) != known)
            continue;
        *vec_add(&depths) = depth;
    }
    vec_done(&depths);
}

/* An hour and a half of busy threads at 4 kHz: times a little late each, a stack often that of a moment ago.
 */
static void add_samples(struct profile *profile, uint64_t *state)
{
    uint64_t time_ns = 1000000000000;
    uint32_t stack = 0;
    uint32_t thread = 0;

    for (uint32_t i = 0; i < SAMPLES; i++) {
        time_ns += PERIOD_NS / THREADS + random_below(state, 2000);
        if (random_below(state, 3) > 0)
            stack = random_below(state, 1 + random_below(state, STACKS));
        /* Most stacks are of one thread. */
        thread = random_below(state, 20) == 0 ? random_below(state, THREADS) : stack % THREADS;
        profile_add_sample(profile, 0, (struct profile_sample){time_ns, PERIOD_NS, thread, stack});
    }
}

static int write_profile(const char *path, struct error *err)
{
    SCOPED(replacement_discard) struct replacement *file = NULL;
    SCOPED(profile_done) struct profile profile;
    uint64_t state = 88172645463325252U;
    struct stat about = {0};
    double start = 0;

    profile_init(&profile);
    for (uint32_t i = 0; i < THREADS; i++)
        profile_add_thread(&profile, 1, 1 + i, SLICE("worker"));
    profile_add_series(&profile, SLICE("cpu-clock"), SLICE("ns"), 4000);
    add_functions(&profile);
    add_stacks(&profile, &state);
    add_samples(&profile, &state);
    start = seconds(CLOCK_PROCESS_CPUTIME_ID);
    if (profile_finish(&profile, err) < 0)
        return -1;
    printf("sums  %.3f s of CPU, %zu threads with a stack each\n", seconds(CLOCK_PROCESS_CPUTIME_ID) - start,
           profile.series.items[0].samples.sums.count);
    start = seconds(CLOCK_PROCESS_CPUTIME_ID);
    if (replacement_open(path, &file, err) < 0 ||
        profile_file_write(&profile, sink_of_replacement(file), err) < 0 ||
        replacement_commit(file, REPLACEABLE, err) < 0)
        return -1;
    if (stat(path, &about) < 0)
        return error_set(err, ERROR_IO, "%s: %s", path, strerror(errno));
    printf("write %.3f s of CPU, %lld bytes, %d samples\n", seconds(CLOCK_PROCESS_CPUTIME_ID) - start,
           (long long)about.st_size, SAMPLES);
    return 0;
}

static int read_profile(const char *path, struct error *err)
{
    SCOPED(profile_done) struct profile profile = {0};
    struct input_losses losses = {0};
    struct rusage usage;
    double start = seconds(CLOCK_MONOTONIC);

    if (input_read(&path, 1, NULL, &profile, &losses, err) < 0)
        return -1;
    getrusage(RUSAGE_SELF, &usage);
    printf("open  %.3f s, %ld MB at most, %llu samples\n", seconds(CLOCK_MONOTONIC) - start,
           usage.ru_maxrss / 1024, (unsigned long long)profile.series.items[0].samples.count);
    return 0;
}

/* In a process of its own, for its memory is told as what it took at most. */
static int in_child(int (*run)(const char *path, struct error *err), const char *path)
{
    pid_t child = fork();
    struct error err = {0};
    int status = 0;

    if (child == 0) {
        status = run(path, &err);
        if (status)
            fprintf(stderr, "bench_profile_file: %s\n", err.message);
        fflush(stdout);
        _exit(status ? 1 : 0);
    }
    return waitpid(child, &status, 0) == child && status == 0 ? 0 : 1;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: bench_profile_file FILE\n");
        return 2;
    }
    return in_child(write_profile, argv[1]) || in_child(read_profile, argv[1]);
}
